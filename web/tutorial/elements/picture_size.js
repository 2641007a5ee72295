/**
 * Reports the width of a picture, at first and whenever it changes. Pictures that are laid out in pixels use it. It reports in the next frame: a
 * browser reports an error if a picture becomes higher while the browser still reports sizes.
 * @param {HTMLElement} element
 * @param {(width: number) => void} onWidth
 */
export function followWidth(element, onWidth) {
  let last = 0;
  const tell = () => {
    const width = Math.round(element.clientWidth);
    if (width === 0 || width === last) return;
    last = width;
    onWidth(width);
  };
  new ResizeObserver(() => requestAnimationFrame(tell)).observe(element);
}
