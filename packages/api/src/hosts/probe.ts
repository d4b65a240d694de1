/**
 * One question to a host, to see whether it answers and how fast; never throws for a silent host.
 */
import type { HostFaultKind } from '@trunkline/contract/fleet/fleet.schema'
import { AppError } from '../errors.ts'
import type { FlussonicClient } from '../stream-servers/flussonic.client.ts'
import { baseUrlOf, MediaServerDown, MediaServerRefused } from '../stream-servers/media-server.ts'
import type { LinkedHost } from './linked-host.ts'

export type ProbeResult =
  | { ok: true; latencyMs: number; text: string }
  | { ok: false; reason: string; kind: HostFaultKind }

export interface ProbeTarget {
  serverType: 'acants' | 'channel'
  /** As the operator typed it, scheme and all. */
  host: string
  port: number
  /** In clear. */
  apiKey: string
}

export async function probeMedia(
  client: FlussonicClient,
  target: ProbeTarget,
): Promise<ProbeResult> {
  const baseUrl = baseUrlOf(target.host, target.port)
  try {
    const latencyMs = await client.probe({ baseUrl, apiKey: target.apiKey })
    return { ok: true, latencyMs: Math.round(latencyMs), text: 'The media server answers.' }
  } catch (error) {
    if (error instanceof MediaServerDown) {
      return { ok: false, reason: error.fault.sentence, kind: error.fault.kind }
    }
    if (error instanceof MediaServerRefused) {
      return { ok: false, reason: error.message, kind: 'not-an-agent' }
    }
    throw error
  }
}

export async function probeAgent(link: LinkedHost): Promise<ProbeResult> {
  if (!link.status.online) link.redial()
  const { fault } = await link.settled()
  if (fault !== null) return { ok: false, reason: fault.sentence, kind: fault.kind }
  try {
    const latencyMs = Math.round(await link.ping())
    const version = link.capabilities?.agentVersion ?? ''
    return { ok: true, latencyMs, text: `The host agent ${version} answers.` }
  } catch (error) {
    const kind = error instanceof AppError && error.code === 'host_timeout' ? 'timeout' : 'refused'
    return { ok: false, reason: error instanceof Error ? error.message : '', kind }
  }
}
