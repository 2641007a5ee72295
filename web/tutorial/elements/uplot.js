// uPlot with its styles: a piece of its own, which is loaded when the first chart comes into view.

import styles from 'uplot/dist/uPlot.min.css?url';

export { default } from 'uplot';

/**
 * Resolves when the styles have loaded or failed: charts without styles are better than no charts. They are a file of their own because Vite's
 * development server puts imported styles into the page's text, which the page's policy forbids.
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
