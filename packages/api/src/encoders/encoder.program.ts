/** An encoder or a feeder as the program that its host runs. Pure: what changes here changes a revision. */
import type { LocalLeg, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import {
  parseTarget,
  type EncoderConfig,
  type Feeder,
} from '@trunkline/contract/encoders/encoder-config.schema'

/** Feeders read on the host itself: the data never leaves it. */
const FEEDER_LEG_TTL = 1

/** Titles are for people: a change of one must not ask for a restart. */
const NEUTRAL_TITLE = 'encoder'

export function encoderSpec(config: EncoderConfig, feeders: readonly Feeder[]): ProgramSpec {
  const { name: _name, 'pmt-period': _period, muxer, ...rest } = withoutNames(config)
  return {
    kind: 'encoder',
    config: { ...rest, muxer, title: NEUTRAL_TITLE, feeder: [] },
    feederLegs: feederLegs(config, feeders),
  }
}

/** pmt-period is shown, never sent (CFG-23); the name follows from the card. */
function withoutNames(config: EncoderConfig) {
  const { 'pmt-period': period, ...muxer } = config.muxer
  return { ...config, muxer, 'pmt-period': period }
}

/** Q99: a leg for each feeder whose place no output feeds already. */
function feederLegs(config: EncoderConfig, feeders: readonly Feeder[]): LocalLeg[] {
  const fed = new Set(config.output.map(({ target }) => placeOfTarget(target)))
  const legs = new Map<string, LocalLeg>()
  for (const feeder of feeders) {
    const leg = feederReads(feeder)
    const place = `${leg.ip}:${leg.port}`
    if (!fed.has(place)) legs.set(place, leg)
  }
  return [...legs.values()]
}

function placeOfTarget(target: string): string {
  const parsed = parseTarget(target)
  return parsed === null ? '' : `${parsed.host}:${parsed.port}`
}

/** A feeder reads its multicast group when it names one, else the address (FEED-04). */
export function feederReads(feeder: Pick<Feeder, 'input'>): LocalLeg {
  const { addr, port, multicast } = feeder.input
  const ip = multicast === '' ? (addr.split(':')[0] ?? '') : multicast
  return { ip, port, ttl: FEEDER_LEG_TTL }
}

/** `passphrase` in clear, '' for none. */
export function feederSpec(feeder: Feeder, passphrase: string): ProgramSpec {
  const [output] = feeder.output
  if (output === undefined) throw new Error(`Feeder ${feeder.name} has no target.`)
  const [host = ''] = output.addr.split(':')
  return {
    kind: 'sender',
    local: feederReads(feeder),
    outer: {
      protocol: 'srt',
      mode: 'call',
      host,
      port: output.port,
      adapterIp: '',
      key: passphrase === '' ? null : { passphrase, bits: output.pbkeylen },
      latencyMs: output.latency,
      maxBandwidthBytes: output.max_bw,
      advanced: output.adv_params,
    },
  }
}
