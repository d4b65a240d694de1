/** Faults of a configuration that lie between its fields, each of which is in range. */
import { parseTarget, type EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  configFaultList,
  type ConfigFault,
} from '@trunkline/contract/encoders/effective-config.rules'
import { isMulticast } from '@trunkline/contract/text.schema'

/** The first fault is the one to mend first; empty when the configuration can be encoded and sent. */
export function faultsBetweenFields(config: EncoderConfig): ConfigFault[] {
  return [...configFaultList(config), ...pcrFaults(config), ...targetFaults(config)]
}

/** The muxer puts the PCR on the video PID, it has no PID of its own (dataplane.md 2.1). */
function pcrFaults({ muxer, 'video-stream': { pid } }: EncoderConfig): ConfigFault[] {
  if (muxer['pcr-pid'] === pid) return []
  const sentence = `The PCR PID must equal the video PID. Set pcr-pid to ${pid}.`
  return [{ field: 'muxer.pcr-pid', sentence }]
}

function targetFaults({ output }: EncoderConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const seen = new Set<string>()
  output.forEach((each, index) => {
    const parsed = parseTarget(each.target)
    if (parsed === null) return
    const place = `${parsed.host}:${parsed.port}`
    const field = `output.${index}.target`
    if (seen.has(place)) {
      faults.push({ field, sentence: `Two outputs send to ${place}. Change one of them.` })
    }
    seen.add(place)
    if (!isMulticast(parsed.host) && !isSendable(parsed.host)) {
      faults.push({ field, sentence: `${parsed.host} is no address to send to. Use another one.` })
    }
  })
  return faults
}

function isSendable(ip: string): boolean {
  const first = Number(ip.split('.')[0])
  return first > 0 && first < 240
}
