import { expect, test } from 'vitest'
import { outputOf } from '../host/tools.ts'
import { findTools, toolFindings } from './tool.check.ts'

const ALL = {
  ffmpeg: '5.1.9',
  ffprobe: '5.1.9',
  'srt-live-transmit': '1.5.1',
  ristsender: '4.4.0',
  ristreceiver: '4.4.0',
  supervisord: '4.2.5',
  setpriv: '2.38.1',
}
const ENCODERS = ['libx264', 'aac']

test('finds every tool of this host with its version', async () => {
  const found = await findTools(outputOf)
  expect(Object.keys(found.versions).toSorted()).toEqual(Object.keys(ALL).toSorted())
  expect(toolFindings(found).filter(({ level }) => level !== 'ok')).toEqual([])
})

test('names a missing tool with the command that installs it', () => {
  const { ristsender: _, ...versions } = ALL
  const found = toolFindings({ versions, encoders: ENCODERS, fontFile: '/font.ttf' })
  expect(found.filter(({ level }) => level === 'wrong')).toEqual([
    {
      level: 'wrong',
      sentence: 'ristsender is missing on this host.',
      fix: 'apt-get install rist-tools',
    },
  ])
})

test('names an ffmpeg without libx264, and a host without a font', () => {
  const found = toolFindings({ versions: ALL, encoders: ['aac'], fontFile: '' })
  expect(found.filter(({ level }) => level !== 'ok').map(({ level }) => level)).toEqual([
    'wrong',
    'note',
  ])
})
