// uPlot with its styles: a piece of its own, which is loaded when the first chart comes into view.

import 'uplot/dist/uPlot.min.css';

export { default } from 'uplot';
