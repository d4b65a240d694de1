/**
 * Every parser of foreign text, for ten minutes each (`BENCH_SECONDS=10`: shorter), with what it
 * really gets, damaged. None may fail on it, or take longer than 50 ms of an event loop that others
 * wait for.
 */
import { expect, test } from 'vitest'
import { recordStream } from '@trunkline/agent/transport/transport.fixture'
import { atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'
import { foreignTexts } from './foreign-texts.ts'
import { tryParser } from './try-parser.ts'

const SECONDS = settingOf('SECONDS', 600)
const SEED = settingOf('SEED', 1)
const LONGEST_MS = 50
/** 20 datagrams. */
const STREAM_BYTES = 188 * 140

test('no damaged text makes a parser fail or hold up the event loop', async () => {
  const stream = (await recordStream()).subarray(0, STREAM_BYTES)
  const outcomes = foreignTexts(stream).map((parser) => {
    const endMs = performance.now() + SECONDS * 1000
    return tryParser(parser, SEED, () => performance.now() < endMs)
  })
  const crashes = outcomes.flatMap(({ name, crashes: some }) =>
    some.map((crash) => `${name}: ${crash}`),
  )
  const goals = [
    atMost('failures', crashes.length, 0, 'texts'),
    atMost(
      'slowest text',
      Math.max(...outcomes.map(({ slowestMs }) => slowestMs)),
      LONGEST_MS,
      'ms',
    ),
  ]
  const missed = printProof('parsers', {
    ours: {
      secondsEach: SECONDS,
      parsers: outcomes.map(({ name, inputs, slowestMs, slowest }) => ({
        name,
        inputs,
        slowestMs: round(slowestMs),
        slowest,
      })),
    },
    faults: crashes,
    goals,
  })
  expect(missed).toEqual([])
})
