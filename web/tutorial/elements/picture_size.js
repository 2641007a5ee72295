/**
 * Tells how wide a picture is, at first and whenever that changes, for pictures that are laid out in pixels. It does so in the
 * next frame: a browser reports an error if a picture becomes higher while the browser still reports sizes.
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
