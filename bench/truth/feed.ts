/**
 * A source whose picture and sound the bench can spoil while it runs: black, still, silent. To two
 * groups of the loopback interface at once, so that a channel has two sources.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { options } from '@trunkline/agent/commands/option.command'

const PICTURES_A_SECOND = 25
/** Half a second: what a segment shows is judged by its key frames. */
const KEY_FRAME_DISTANCE = 12
const MUX_RATE_BPS = 1_850_000

export type Spoiling = 'black' | 'still' | 'silent'

/** A filter of its own for each, off at first. */
const FILTERS: Record<Spoiling, { name: string; filter: string }> = {
  black: { name: 'drawbox@black', filter: 'drawbox@black=color=black:t=fill:enable=0' },
  still: { name: 'drawbox@still', filter: 'drawbox@still=color=teal:t=fill:enable=0' },
  silent: { name: 'volume@silent', filter: 'volume@silent=volume=0:enable=0' },
}

export interface Feed extends AsyncDisposable {
  /** Answers the moment of the command. */
  spoil(how: Spoiling, isOn: boolean): number
}

export interface GroupPort {
  ip: string
  port: number
}

export function openFeed(groups: readonly GroupPort[]): Feed {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'ffmpeg', ...argsOf(groups)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return {
    spoil(how, isOn) {
      // ffmpeg's own way to command a filter while it runs: the key C, then one line.
      child.stdin.write(`C${FILTERS[how].name} -1 enable ${isOn ? 1 : 0}\n`)
      return Date.now()
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function argsOf(groups: readonly GroupPort[]): string[] {
  const picture = `testsrc=size=320x180:rate=${PICTURES_A_SECOND}`
  const sinks = groups.map(
    ({ ip, port }) =>
      // Not paced: a pacing that falls behind on a busy machine would delay what is caused here.
      `[f=mpegts:muxrate=${MUX_RATE_BPS}]udp://${ip}:${port}?pkt_size=1316&localaddr=127.0.0.1&ttl=1`,
  )
  return [
    '-hide_banner',
    ...options({ loglevel: 'error' }),
    '-re',
    ...options({ f: 'lavfi', i: picture }),
    '-re',
    ...options({ f: 'lavfi', i: 'sine=frequency=1000:sample_rate=48000' }),
    ...options({ vf: `${FILTERS.black.filter},${FILTERS.still.filter},format=yuv420p` }),
    ...options({ af: FILTERS.silent.filter, map: '0:v' }),
    ...options({ 'c:v': 'libx264', preset: 'ultrafast', tune: 'zerolatency', bf: 0, threads: 1 }),
    ...options({ 'b:v': '1000k', maxrate: '1000k', bufsize: '500k' }),
    ...options({ g: KEY_FRAME_DISTANCE, sc_threshold: 0 }),
    ...options({ 'c:a': 'mp2', 'b:a': '128k', ac: 2 }),
    '-map',
    '1:a',
    ...options({ f: 'tee' }),
    sinks.join('|'),
  ]
}
