//! Class after class of a side, on several threads where there are many states.

use rayon::prelude::*;

use crate::index::{CentreId, Class, Index};

/// Rows of a centre from which on several threads share them.
const WORTH_SHARING: usize = 1 << 14;

/// Something for each class of a side, by slot; on several threads where there are many
/// states.
pub(super) fn by_class<T: Send>(
    index: &Index,
    centre: CentreId,
    of_class: impl Fn(Class) -> T + Send + Sync,
) -> Vec<T> {
    let classes: Vec<Class> = Class::all(index.census().split().side_cells()).collect();
    if index.census().centre_rows(centre) < WORTH_SHARING {
        return classes.into_iter().map(of_class).collect();
    }
    classes.into_par_iter().map(of_class).collect()
}
