import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { z } from 'zod'

/** pal as its preset has it, with a target that may be named. */
export function palConfig(
  cardIdx: number,
  target: string = `udp://127.0.0.1:${5000 + cardIdx}?ttl=12`,
): z.input<typeof EncoderConfig> {
  return {
    title: 'Camera',
    'card-idx': cardIdx,
    'video-format': 'pal',
    'video-stream': {
      format: 'avc',
      bitrate: 1500,
      keyint: 24,
      'vbv-bufsize': 1000,
      'vbv-maxrate': 1500,
      profile: 'main',
      level: '3.2',
      'aspect-ratio': '16:9',
      width: 720,
      threads: 2,
      pid: 512,
      'max-refs': 1,
      'intra-refresh': 0,
    },
    'audio-stream': {
      format: 'mp2',
      bitrate: 128,
      lang: 'eng',
      pid: 4112,
      'mp2-mode': 'stereo',
      'audio-type': 'undefined',
    },
    muxer: {
      'ts-type': 'dvb',
      'ts-id': 1,
      'pmt-pid': 256,
      'pcr-pid': 512,
      'pcr-period': 20,
      'program-num': 1,
      'ts-muxrate': 1_850_000,
      cbr: 1,
    },
    output: [{ type: 'udp', target }],
    feeder: [],
  }
}
