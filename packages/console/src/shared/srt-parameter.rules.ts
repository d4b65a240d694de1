/** What a known SRT parameter means, as its field says it. */
import {
  srtParameterRange,
  srtParameterRule,
  type SrtAdvancedKey,
} from '@trunkline/contract/contributions/srt-parameter.rules'

/** '0 to 65535 ms. Delay that lost packets may be resent in, both ways.' */
export function srtParameterHint(key: SrtAdvancedKey): string {
  return `${srtParameterRange(key)}. ${srtParameterRule(key).meaning}`
}

/** '' for what has none. */
export function srtParameterUnit(key: SrtAdvancedKey): string {
  const rule = srtParameterRule(key)
  return rule.kind === 'number' ? rule.unit : ''
}
