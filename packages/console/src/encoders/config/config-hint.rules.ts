/** What the value of a field means here, and what may be chosen. */
import type { EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import { AAC_PROFILES } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  rasterOf,
  VIDEO_FORMATS,
  type VideoFormat,
  widthChoices,
} from '@trunkline/contract/encoders/video-format.rules'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { plainChoices } from '../../forms/field.rules.ts'
import type { Choice } from '../../ui/choice/Select.tsx'
import type { ConfigValues } from './config-field.rules.ts'
import * as text from './config.messages.ts'

export function numberOf(typed: string): number | null {
  return /^\d{1,12}$/.test(typed) ? Number(typed) : null
}

function videoFormatOf(values: ConfigValues): VideoFormat {
  const name = values['video-format']
  return VIDEO_FORMATS.find((known) => known === name) ?? '1080i50'
}

/** CFG-27; a width that is none of this format is shown, so that it can be seen and corrected. */
export function widthChoicesOf(values: ConfigValues): Choice<string>[] {
  const present = values['video-stream.width']
  const choices = plainChoices(widthChoices(videoFormatOf(values)))
  if (choices.some(({ value }) => value === present)) return choices
  return [
    { value: present, label: `${present} · not of this format`, isDisabled: true },
    ...choices,
  ]
}

/** '2 s at 25 frames/s'. */
export function keyintHint(values: ConfigValues): string {
  const frames = numberOf(values['video-stream.keyint'])
  if (frames === null) return ''
  const { numerator, denominator } = rasterOf(videoFormatOf(values)).frameRate
  const rate = numerator / denominator
  return `${short(frames / rate)} s at ${short(rate)} frames/s`
}

/** '1 s at this bitrate'. */
export function bufferHint(values: ConfigValues): string {
  const buffer = numberOf(values['video-stream.vbv-bufsize'])
  const rate = numberOf(values['video-stream.vbv-maxrate'])
  return buffer === null || !rate ? '' : `${short(buffer / rate)} s at the max rate`
}

export function threadsHint(host: EncoderHost | null): string {
  const cores = host?.cpuCores ?? 0
  return cores === 0 ? '' : `this host has ${cores === 1 ? '1 core' : `${cores} cores`}`
}

function short(value: number): string {
  return decimalText(Math.round(value * 100) / 100, null)
}

/** The host was heard, so its lists mean something. */
export function knownHost(host: EncoderHost | null): EncoderHost | null {
  return host === null || host.heardAtMs === null ? null : host
}

/** The cards of a host that was heard; those that cannot be used say why. */
export function cardChoices(host: EncoderHost, present: string): Choice<string>[] {
  const cards = host.sources
    .toSorted((a, b) => a.cardIdx - b.cardIdx)
    .map(({ cardIdx, label, unusable }): Choice<string> => {
      const owner = host.taken.find((taken) => taken.cardIdx === cardIdx)
      const why = owner === undefined ? unusable : takenBy(owner.title)
      const value = String(cardIdx)
      return {
        value,
        label: [`${value}: ${label}`, why].filter((part) => part !== '').join(' · '),
        isDisabled: why !== '' && value !== present,
      }
    })
  if (cards.some(({ value }) => value === present)) return cards
  return [{ value: present, label: `${present} · ${text.CARD_GONE}` }, ...cards]
}

function takenBy(title: string): string {
  return `taken by ${title === '' ? 'an encoder of another group' : title}`
}

/** CFG-33: what the host's ffmpeg has no encoder for cannot be chosen, and says why. */
export function aacProfileChoices(host: EncoderHost | null): Choice<string>[] {
  const lacks = host !== null && !host.encoders.includes('libfdk_aac')
  return AAC_PROFILES.map((value): Choice<string> => {
    const isDisabled = lacks && value !== 'aac-lc'
    return { value, label: isDisabled ? `${value} · ${text.NEEDS_LIBFDK}` : value, isDisabled }
  })
}
