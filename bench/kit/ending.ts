/** A bench that is ended from outside leaves nothing running: what it has opened is closed first. */
import { constants } from 'node:os'

type Close = () => Promise<void>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const open = new Set<Close>()
let isListening = false

/**
 * Registers what a signal closes; what was opened last goes first. Call it before whatever it is
 * has finished opening, so that nothing is between the two.
 * @returns closes it, however often it is called: by the bench that is done, or by a signal
 */
export function closedBySignals(close: Close): Close {
  let closing: Promise<void> | null = null
  const closeOnce = async () => {
    closing ??= close().finally(() => open.delete(closeOnce))
    return closing
  }
  open.add(closeOnce)
  listen()
  return closeOnce
}

function listen(): void {
  if (isListening) return
  isListening = true
  let isEnding = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // A second press hurries nothing: all of it is on its way.
      if (isEnding) return
      isEnding = true
      void endBy(signal)
    })
  }
}

async function endBy(signal: (typeof SIGNALS)[number]): Promise<void> {
  // The bench still waits for what is being closed; that this fails now is no news.
  process.on('uncaughtException', () => undefined)
  for (const close of [...open].toReversed()) {
    await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  }
  // As a shell tells that a signal ended a program.
  process.exit(128 + constants.signals[signal])
}
