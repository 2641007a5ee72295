// uPlot with its styles: a piece of its own, which is loaded when the first chart comes into view.

import styles from 'uplot/dist/uPlot.min.css?url';

export { default } from 'uplot';

/**
 * Resolves when the styles are there, or cannot be had: charts without styles are better than none. They are a file of their own, since
 * Vite's development server puts what is imported as styles into the page's text, which the page's policy forbids.
 */
export const styled = loadStyles();

/** @returns {Promise<unknown>} */
function loadStyles() {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = styles;
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
}
