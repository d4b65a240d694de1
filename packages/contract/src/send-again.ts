interface Sending<T> {
  /** Makes the call; rejects with what `isLost` is asked about. */
  send: () => Promise<T>
  /** Whether nobody knows if the call was carried out. */
  isLost: (error: unknown) => boolean
  /** Before each further attempt. */
  waitsMs: readonly number[]
  pause: (durationMs: number) => Promise<unknown>
}

/** For a call that counts once however often it is sent, such as an addition with its key (ADR 0068). */
export async function sendAgain<T>(sending: Sending<T>): Promise<T> {
  try {
    return await sending.send()
  } catch (error) {
    const [waitMs, ...waitsMs] = sending.waitsMs
    if (waitMs === undefined || !sending.isLost(error)) throw error
    await sending.pause(waitMs)
    return sendAgain({ ...sending, waitsMs })
  }
}
