/** What a known SRT parameter means, as its field says it. */
import {
  SRT_ADVANCED_KEYS,
  srtParameterFault,
  srtParameterRange,
  srtParameterRule,
  type SrtAdvancedKey,
} from '@trunkline/contract/contributions/srt-parameter.rules'

/** As typed. */
export interface TypedParameter {
  key: string
  value: string
}

export const UNKNOWN_PARAMETER = 'This parameter cannot be set here.'
export const CHOOSE_PARAMETER = 'Type or choose one of the SRT parameters.'

/** Null for what is none. */
export function knownKey(typed: string): SrtAdvancedKey | null {
  const key = typed.trim().toLowerCase()
  return SRT_ADVANCED_KEYS.find((item) => item === key) ?? null
}

/** '0 to 65535 ms. Time for retransmission of lost packets, in both directions.' */
export function srtParameterHint(key: SrtAdvancedKey): string {
  return `${srtParameterRange(key)}. ${srtParameterRule(key).meaning}`
}

/** '' for what has none. */
export function srtParameterUnit(key: SrtAdvancedKey): string {
  const rule = srtParameterRule(key)
  return rule.kind === 'number' ? rule.unit : ''
}

/** Of each line, at its two fields; '' where they are well. `required`: of a field that is empty. */
export function parameterFaults(
  list: readonly TypedParameter[],
  required: string,
): readonly TypedParameter[] {
  return list.map((line, index) => {
    const known = knownKey(line.key)
    const value = line.value.trim()
    const isTwice = list.slice(0, index).some(({ key }) => knownKey(key) === known)
    const fault = known === null || value === '' ? null : srtParameterFault(known, value)
    return {
      key: keyFault(line.key, known, isTwice, required),
      value: value === '' ? required : fault === null ? '' : `${known} ${fault}`,
    }
  })
}

function keyFault(typed: string, known: string | null, isTwice: boolean, required: string): string {
  if (typed.trim() === '') return required
  if (known === null) return UNKNOWN_PARAMETER
  return isTwice ? `${known} is there already. Remove one of them.` : ''
}
