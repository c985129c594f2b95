// What the browser remembers of the reader's choices.
//
// Values and colours last; the opponent is that of the tab, so that a shared link begins without.

/** A choice that was stored, if it is still one of `choices`. */
export function recall(name, choices, storage = 'localStorage') {
  try {
    const found = window[storage].getItem(`strong4.${name}`);
    return choices.includes(found) ? found : null;
  } catch {
    // Browsers that are told to store nothing refuse even to look.
    return null;
  }
}

export function store(name, choice, storage = 'localStorage') {
  try {
    window[storage].setItem(`strong4.${name}`, choice);
  } catch {
    // Then it is forgotten with the page.
  }
}
