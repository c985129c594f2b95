// The reader's choices, as the browser remembers them.
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

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** Makes a button go through the themes: as the system has it, light, dark. */
export function switchThemes(button) {
  const names = Object.keys(THEMES);
  let theme = recall('theme', names) ?? 'system';
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.setAttribute('aria-label', `Colours: ${THEMES[theme]}`);
    button.title = `Colours: ${THEMES[theme]}`;
  };
  button.addEventListener('click', () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    store('theme', theme);
    show();
  });
  show();
}
