/** Whether a JPEG says of itself to be so large that to draw it would take a browser's memory. */

/** Frame headers are C0 to CF, but for the three that hold tables or are reserved. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc])
/** After the two bytes of the marker: length 2, precision 1, then height 2 and width 2. */
const HEIGHT_AT = 5
const WIDTH_AT = 7

/**
 * Looks at every place that could begin a frame: inside the picture's own data FF is never followed
 * by such a byte. A few kilobytes may claim 65,535 pixels each way, which are gigabytes when drawn.
 */
export function isLargerThan(jpeg: Buffer, limitPixels: number): boolean {
  for (let at = jpeg.indexOf(0xff); at !== -1; at = jpeg.indexOf(0xff, at + 1)) {
    const marker = jpeg[at + 1] ?? 0
    if (marker < 0xc0 || marker > 0xcf || NO_FRAMES.has(marker)) continue
    if (at + WIDTH_AT + 2 > jpeg.length) continue
    const sides = [jpeg.readUInt16BE(at + HEIGHT_AT), jpeg.readUInt16BE(at + WIDTH_AT)]
    if (sides.some((side) => side > limitPixels)) return true
  }
  return false
}
