/**
 * What a training site is connected to and the product does not run: networks between hosts, a partner's
 * receivers, a router that feeds a local bus, and the way to the media server.
 */
import { execFile } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { farEnd, OutsideProgram } from '../breaks/outside-program.ts'
import { openRelay, type UdpRelay } from '../links/udp-relay.ts'
import { openTcpDoor, type TcpDoor } from '../tcp-door.ts'
import { LATENCY_MS, type Fleet } from './fleet.ts'
import { FAR_END_IP, routerGroup, streamHost } from './training-seed.ts'
import type { TrainingPlan } from './training-plan.ts'

export interface Outside {
  mediaServerDoor: TcpDoor
  /** By title of the output. */
  relays: ReadonlyMap<string, UdpRelay>
  farEnds: ReadonlyMap<string, OutsideProgram>
  /** Null where the fleet has no input of a bus. */
  router: OutsideProgram | null
}

export async function openMediaServerDoor(fleet: Fleet, firstPort: number): Promise<TcpDoor> {
  const host = streamHost(fleet)
  const seat = { host: host.ip, port: firstPort + (host.streamSeat ?? 0) }
  return openTcpDoor(seat, host.ip, firstPort + (host.streamDoor ?? 0))
}

interface OutsideOptions {
  dataDir: string
  fleet: Fleet
  plan: TrainingPlan
  firstPort: number
}

/** Relays listen at the ports of inputs: those must be saved before, or their host calls them taken. */
export async function openOutside(
  { dataDir, fleet, plan, firstPort }: OutsideOptions,
  life: AsyncDisposableStack,
): Promise<Omit<Outside, 'mediaServerDoor'>> {
  const relays = new Map<string, UdpRelay>()
  const farEnds = new Map<string, OutsideProgram>()
  for (const { title, to, relay: way } of fleet.outputs) {
    if (typeof to !== 'string') {
      const end = life.use(farEnd(FAR_END_IP, firstPort + to.farEnd, LATENCY_MS))
      await end.start()
      farEnds.set(title, end)
    } else if (way !== null) {
      const input = fleet.inputs.find((each) => each.title === to)
      const host = fleet.hosts.find(({ name }) => name === input?.host) ?? streamHost(fleet)
      const port = firstPort + (input?.port ?? 0)
      const relay = await openRelay(port, port, { ip: host.wanIp, toIp: host.ip })
      relays.set(title, Object.assign(life.use(relay), way))
    }
  }
  const bus = fleet.inputs.find(({ type }) => type === 'bus')
  if (bus === undefined) return { relays, farEnds, router: null }
  const clip = await routerClip(dataDir)
  const group = `${routerGroup(plan)}:${firstPort + bus.port}`
  const router = life.use(new OutsideProgram(routerArgv(clip, group)))
  await router.start()
  return { relays, farEnds, router }
}

const CLIP_SECONDS = '20'

/** Made once, so that nothing is encoded while it is sent. */
async function routerClip(dataDir: string): Promise<string> {
  const file = join(dataDir, 'router.ts')
  if (existsSync(file)) return file
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=5']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=500:sample_rate=48000', '-ac', '2']
  const video = '-c:v libx264 -preset ultrafast -b:v 120k -g 5 -pix_fmt yuv420p'.split(' ')
  const rest = `-c:a mp2 -b:a 64k -t ${CLIP_SECONDS} -f mpegts`.split(' ')
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...video, ...rest, `${file}.new`])
  renameSync(`${file}.new`, file)
  return file
}

function routerArgv(clip: string, group: string): string[] {
  const from = ['-v', 'fatal', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy']
  const to = `udp://${group}?pkt_size=1316&localaddr=127.0.0.1&ttl=1`
  return ['ffmpeg', '-nostdin', ...from, '-f', 'mpegts', '-muxrate', '250000', to]
}

const run = promisify(execFile)
