// Light or dark: as the system has it, or as the reader prefers.

import { recall, store } from './memory.js';

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** Makes a button go through the themes. */
export function listen(button) {
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
