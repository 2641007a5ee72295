// uPlot with its styles: a piece of its own, which is loaded when the first chart comes into view.

import styles from 'uplot/dist/uPlot.min.css?url';

export { default } from 'uplot';

// A file of its own: Vite's development server puts what is imported as styles into the page's text, which the page's policy forbids.
const link = document.createElement('link');
await new Promise((resolve) => {
  // Charts without styles are better than none.
  link.onload = link.onerror = resolve;
  link.rel = 'stylesheet';
  link.href = styles;
  document.head.append(link);
});
