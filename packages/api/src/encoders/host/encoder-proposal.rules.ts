/** Where the configuration of a new encoder begins: on a card, a port and PIDs that its host has free. */
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { nextFreePort } from '../clone/encoder-clone.rules.ts'

/** CFG-12, CFG-13, CFG-36: as the form begins where nothing is taken. */
const FIRST_PORT = 5000
const FIRST_PIDS = { video: 512, audio: 4112, pmt: 256 } as const
const CARDS = 64

export interface TakenOnHost {
  cards: ReadonlySet<number>
  ports: ReadonlySet<number>
  pids: ReadonlySet<number>
}

type Proposal = EncoderHost['proposed']

/** Cards that the host cannot use come last; where all are taken the first is proposed, and refused at its field. */
export function proposalFor(taken: TakenOnHost, sources: EncoderHost['sources']): Proposal {
  const usable = sources.filter(({ unusable }) => unusable === '').map(({ cardIdx }) => cardIdx)
  const offered = [...usable.toSorted((a, b) => a - b), ...Array(CARDS).keys()]
  const isFree = !taken.ports.has(FIRST_PORT)
  return {
    cardIdx: offered.find((card) => !taken.cards.has(card)) ?? 0,
    targetPort: isFree ? FIRST_PORT : (nextFreePort(FIRST_PORT, taken.ports) ?? FIRST_PORT),
    ...pidsBeside(taken.pids),
  }
}

/** All three by the same distance from where they begin. */
function pidsBeside(
  taken: ReadonlySet<number>,
): Pick<Proposal, 'videoPid' | 'audioPid' | 'pmtPid'> {
  const { video, audio, pmt } = FIRST_PIDS
  const steps = [...Array(video - pmt).keys()]
  const step = steps.find((by) => [video, audio, pmt].every((pid) => !taken.has(pid + by))) ?? 0
  return { videoPid: video + step, audioPid: audio + step, pmtPid: pmt + step }
}
