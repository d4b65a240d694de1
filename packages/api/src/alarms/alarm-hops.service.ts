/**
 * What an alarm may be explained by: the hops before its object on the signal path, what a sender
 * without a peer calls, the hosts that these run on, and of outputs of one silent Local input the first.
 */
import { needsReceivers } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { eachInSlices } from '../in-slices.ts'
import { outputsOfSameBus } from '../paths/hop-edges.store.ts'
import { receiversOf, upstreamOf } from '../paths/path-graph.service.ts'
import type { CauseHop } from './cause.rules.ts'

/** A signal path that forks more often is cut here. */
const HOPS_AT_MOST = 200

/** By `keyOf` the object, nearest first. A fixed number of queries for all of them together. */
export async function readHops(
  source: Parameters<typeof upstreamOf>[0],
  hostsOf: (object: ObjectKey, rule: AlarmRule) => readonly CauseHop[],
  objects: readonly (ObjectKey & { rule: AlarmRule })[],
): Promise<Map<string, readonly CauseHop[]>> {
  if (objects.length === 0) return new Map()
  const paths = await upstreamOf(
    source,
    objects.map(({ kind, id }) => ({ kind, id })),
  )
  const receivers = await receiversOf(source, objects.filter(needsReceivers))
  const silent = objects.filter(({ kind, rule }) => kind === 'output' && rule === 'no-media')
  const sameBus = await outputsOfSameBus(
    source.db,
    silent.map(({ id }) => id),
  )
  const found = new Map<string, readonly CauseHop[]>()
  // What ended together with another hop says nothing of this object.
  const hostsOfHop = (hop: ObjectKey, rule: AlarmRule) =>
    hostsOf(hop, rule).filter(({ isTogether }) => isTogether !== true)
  // A machine may have hundreds of hosts, which are looked at for each alarm of its own.
  await eachInSlices(objects, ({ kind, id, rule }) => {
    const [key, hops] = [keyOf({ kind, id }), new Map<string, CauseHop>()]
    const add = (hop: CauseHop) => {
      const isKnown = hops.get(keyOf(hop))?.isTogether === true
      if (keyOf(hop) !== key && !isKnown && hops.size < HOPS_AT_MOST) hops.set(keyOf(hop), hop)
    }
    for (const host of hostsOf({ kind, id }, rule)) add(host)
    for (const hop of receivers.get(key) ?? []) {
      for (const each of [hop, ...hostsOfHop(hop, rule)]) {
        if (!hops.has(keyOf(each))) add({ ...each, isReceiver: true })
      }
    }
    for (const hop of paths.get(key) ?? []) {
      add(hop)
      for (const host of hostsOfHop(hop, rule)) add(host)
    }
    // What fills a bus is no object of the site: the first output without media stands for it.
    for (const output of kind === 'output' ? (sameBus.get(id) ?? []) : []) {
      if (output.id < id) add(output)
    }
    found.set(key, [...hops.values()])
  })
  return found
}
