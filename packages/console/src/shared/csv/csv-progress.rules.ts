/** How often the progress of an import is drawn, and what is left of it. */

/** Drawing a long file after each of its rows would take longer than saving them. */
const DRAWN_EVERY_MS = 250
/** Before that the first rows say little about the rest. */
const LEFT_KNOWN_AFTER_MS = 3000

/** `draw`: with what is left by the pace until now; null before that is known. */
export function drawAtPace(draw: (leftMs: number | null) => void, clock = () => performance.now()) {
  const beganMs = clock()
  let drawnMs = beganMs
  return (done: number, all: number) => {
    const nowMs = clock()
    if (nowMs - drawnMs < DRAWN_EVERY_MS) return
    drawnMs = nowMs
    const tookMs = nowMs - beganMs
    draw(tookMs < LEFT_KNOWN_AFTER_MS ? null : (tookMs / done) * (all - done))
  }
}
