/** What the console says about things on air. */
import type { OnAirEffect, OnAirMark, OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import { KIND_WORDS } from '../kind.messages.ts'
import { LOCALE } from '../../lib/locale/language.ts'
import { TIME_ZONE, ZONE_WORD } from '../../lib/locale/time-zone.ts'

export const PUT_FAILED = 'It could not be put on air.'
export const TAKE_OFF_FAILED = 'It could not be taken off air.'

/** 'Channel Live loses the stream.' */
export function effectText({ kind, title, effect }: OnAirEffect): string {
  const what = `${KIND_WORDS[kind]} ${title}`
  return effect === 'dark'
    ? `${what} loses the stream.`
    : `The signal after ${what} is interrupted.`
}

export function moreText({ more }: OnAirRefusal): string {
  return `${more.toLocaleString(LOCALE)} more on air are interrupted too.`
}

const BY_THE_CLOCK = {
  timeZone: TIME_ZONE,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
} as const

/** 'Fri 18:00 UTC' */
export function timeText(ms: number): string {
  return `${new Date(ms).toLocaleString(LOCALE, BY_THE_CLOCK)} ${ZONE_WORD}`
}

/** 'On air until Fri 18:00 UTC', 'On air from Fri 18:00 UTC'. */
export function momentText({
  isOnAir,
  fromMs,
  untilMs,
}: Pick<OnAirMark, 'isOnAir' | 'fromMs' | 'untilMs'>): string {
  if (!isOnAir) return `On air from ${timeText(fromMs)}`
  return untilMs === null ? 'On air' : `On air until ${timeText(untilMs)}`
}
