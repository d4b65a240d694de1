/** What stands in a card's picture: a picture as far as it may be believed, else why there is none. */
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  PROOF_WITHIN_MS,
  type Family,
  type Shape,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { durationText, clockTimeText } from '../../shared/format.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'
import { STATE_WORDS } from '@trunkline/contract/fleet/state-words'

/** The reply of the call, without the wire's null. */
export interface Picture {
  jpegBase64: string
  /** API clock. */
  takenAtMs: number
}

/** Agents take one every few seconds; two that did not come are no accident any more. */
export const PICTURE_STALE_AFTER_MS = 15_000

export type PictureView =
  /** `note` is its age. */
  | { kind: 'live'; picture: Picture; note: string }
  /** Grey: nothing says that it still looks like this. */
  | { kind: 'old'; picture: Picture; note: string }
  | { kind: 'none'; family: Family; shape: Shape; note: string }
  | { kind: 'bare'; note: string }

export interface PictureInput {
  isConfigured: boolean
  view: StateView
  status: ProgramStatus | null
  picture: Picture | null
  /** API clock. */
  nowMs: number
}

export function pictureView(input: PictureInput): PictureView {
  const { isConfigured, view } = input
  if (!isConfigured) return { kind: 'bare', note: 'No picture yet' }
  const picture = ownPicture(input)
  if (isPictured(input) && picture !== null) {
    const ageMs = Math.max(0, input.nowMs - picture.takenAtMs)
    return ageMs <= PICTURE_STALE_AFTER_MS
      ? { kind: 'live', picture, note: `${Math.floor(ageMs / 1000)} s` }
      : oldPicture(picture)
  }
  // Of a host that is silent the last picture is the last that anybody knows.
  if (view.family === 'blind' && picture !== null) return oldPicture(picture)
  return noPicture(input)
}

/** For whoever cannot see it. `title`: the encoder's. */
export function pictureLabel(
  { kind, note }: Extract<PictureView, { kind: 'live' | 'old' }>,
  title: string,
): string {
  return kind === 'live' ? `Picture of ${title}` : `${note} ${ZONE_WORD}, of ${title}`
}

/** While it runs there are pictures to ask for. */
export function isPictured({ status }: Pick<PictureInput, 'status'>): boolean {
  return status?.state === 'running'
}

/** One from before this start shows what was, and would pass for what is. */
function ownPicture({ picture, status }: PictureInput): Picture | null {
  if (picture === null) return null
  return picture.takenAtMs < (status?.startedAtMs ?? 0) ? null : picture
}

function oldPicture(picture: Picture): PictureView {
  return { kind: 'old', picture, note: `Last picture ${clockTimeText(picture.takenAtMs)}` }
}

function noPicture(input: PictureInput): PictureView {
  const { view, status, nowMs } = input
  const { family, shape } = view
  if (isPictured(input) && family !== 'blind') {
    const sinceMs = status?.startedAtMs ?? nowMs
    return nowMs - sinceMs <= PROOF_WITHIN_MS
      ? { kind: 'none', family: 'move', shape: 'arc', note: 'Waiting for first picture' }
      : { kind: 'none', family: 'off', shape: 'ring', note: 'No picture' }
  }
  return { kind: 'none', family, shape, note: wordsFor(view, nowMs) }
}

function wordsFor({ family, word, sinceMs }: StateView, nowMs: number): string {
  if (word === STATE_WORDS.starting) return 'Waiting for first picture'
  if (family === 'off') {
    return sinceMs === null ? 'Not running' : `Not running for ${durationText(nowMs - sinceMs)}`
  }
  if (family === 'bad' && sinceMs !== null) return `No picture since ${clockTimeText(sinceMs)}`
  return 'No picture'
}
