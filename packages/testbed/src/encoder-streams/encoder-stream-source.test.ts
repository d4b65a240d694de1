/**
 * A file in a loop as the source of an encoder. Capture cards and cameras are not tried here: they
 * need the device itself, and their commands are held by the agent's own checks.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf, HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import { effectiveOnHost } from '@trunkline/contract/encoders/effective-config.rules'
import { expect, test } from 'vitest'
import { startEncoder } from './encoder-stream.fixture.ts'
import { openReceiver } from './stream-capture.ts'
import { factsFound, promisedFacts } from './stream-facts.ts'
import { brokenLimits } from './stream-limits.ts'
import { payloadBps } from './transport-stream.ts'

const FILE_SECONDS = 2
/** Over the end of the file and back to its beginning, three times. */
const CAPTURE_SECONDS = 7

/** Of another size and rate than any format, and so busy that it fills every bit rate. */
function makeFile(folder: string): string {
  const file = join(folder, 'busy.mp4')
  const video = `testsrc2=size=640x360:rate=15,noise=alls=80:allf=t`
  const graph = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', 'sine=frequency=440']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  const args = ['-v', 'error', ...graph, ...codecs, '-t', `${FILE_SECONDS}`, '-y', file]
  execFileSync('ffmpeg', args)
  return file
}

test('CFG-41 a file in a loop comes out in the configured format, and fills its bit rate without passing it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'encoder-'))
  try {
    const host = {
      ...HOST,
      sources: [{ cardIdx: 0, kind: 'file' as const, device: makeFile(folder) }],
    }
    await using receiver = await openReceiver('udp')
    const config = configOf('pal', [`udp://127.0.0.1:${receiver.port}?ttl=1`])
    const captured = receiver.capture(CAPTURE_SECONDS)
    await using encoder = startEncoder(config, host)
    const bytes = await encoder.until(captured)

    const { config: effective } = effectiveOnHost(config, host.encoders)
    expect(factsFound(bytes)).toEqual(promisedFacts(effective))
    expect(brokenLimits(bytes, effective)).toEqual([])
    const { bitrate, pid, 'vbv-bufsize': buffer } = effective['video-stream']
    const videoKbps = payloadBps(bytes, pid) / 1000
    expect(videoKbps).toBeGreaterThan(bitrate * 0.8)
    // One buffer may come on top of the rate, and some 2 % of PES headers.
    expect(videoKbps).toBeLessThan(bitrate * 1.02 + buffer / CAPTURE_SECONDS)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
