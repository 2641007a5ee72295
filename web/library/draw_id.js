// Ids of rows, markers and pages.

/** 20 letters and digits. */
export function drawId() {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % 62]).join('');
}
