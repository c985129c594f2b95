// The game in the address bar: `#4453`. Each change is a step of the browser's history.

/** The moves in the address. */
export function moves() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function link(text) {
  return text === '' ? location.pathname : `#${text}`;
}

export function push(text) {
  if (text !== moves()) history.pushState(null, '', link(text));
}

/** Puts the moves in the place of those that are there, so that the back button passes them by. */
export function replace(text) {
  history.replaceState(null, '', link(text));
}

/** Calls back when the reader goes back or forward, or edits the address. */
export function onVisit(callback) {
  addEventListener('popstate', callback);
  addEventListener('hashchange', callback);
}
