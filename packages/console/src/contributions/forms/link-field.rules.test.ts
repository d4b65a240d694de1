import { expect, test } from 'vitest'
import type { LinkKind } from '../link.rules.ts'
import { type FieldName, mayAddParameters, mayEncrypt, shownFields } from './link-field.rules.ts'
import { newInputValues, newOutputValues } from './link-values.rules.ts'

function valuesOf(kind: LinkKind, parts: Partial<Record<FieldName, string>>) {
  const begun = kind === 'input' ? newInputValues('s', 'g') : newOutputValues('i')
  return { ...begun, ...parts }
}

/** Table 2.9: x where the form has the field. Columns: Local, aCANFeeder, SRT in, RIST in, SRT out, RIST out. */
const TABLE = `
  config.mode           - x x x x x
  config.host           - x x x x x
  config.port           x x x x x x
  config.multicast      x x x x - -
  config.adapterIp      x x x x x x
  config.latency        - x x x x x
  config.maxBandWidth   - x x - x -
  config.bandWidth      - - - x - x
  config.bufferMin      - - - x - x
  config.reorderBuffer  - - - - - x
  config.profile        - - - x - x
  config.compression    - - - - - x
  config.rtl            - - - - - x
  config.statInterval   - - - x - x
  config.logLevel       - - - x - -
  config.ttl            - x x x - -
`
const COLUMNS = [
  ['input', 'Local'],
  ['input', 'aCANFeeder'],
  ['input', 'SRT'],
  ['input', 'RIST'],
  ['output', 'SRT'],
  ['output', 'RIST'],
] as const

test.each(COLUMNS.map((column, at) => [...column, at] as const))(
  'Q162 %s %s shows the fields of table 2.9, and no other',
  (kind, inputType, at) => {
    const shown = shownFields(valuesOf(kind, { inputType }))
    const rows = TABLE.trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    const wanted = rows.filter((row) => row[at + 1] === 'x').map(([name]) => name)
    const settings = [...shown].filter(
      (name) => name.startsWith('config.') && name !== 'config.secondPath',
    )
    expect(new Set<string>(settings)).toEqual(new Set(wanted))
  },
)

test.each([
  ['Local', '2', false, false],
  ['aCANFeeder', '2', true, true],
  ['SRT', '2', true, true],
  ['RIST', '2', true, false],
  ['RIST', '1', false, false],
])(
  'IN-FORM-20 Q169 %s, profile %s: encryption %s, new parameters %s',
  (inputType, profile, isEncrypted, isAdded) => {
    const values = valuesOf('input', { inputType, 'config.profile': profile })
    expect(mayEncrypt(values)).toBe(isEncrypted)
    expect(mayAddParameters(values)).toBe(isAdded)
  },
)

test.each([
  ['RIST', 'Push', '1', 4],
  ['RIST', 'Push', '', 1],
  ['RIST', 'Listen', '1', 0],
  ['SRT', 'Push', '1', 0],
])('a second path: %s in %s, switched %s', (inputType, mode, isOn, count) => {
  const values = valuesOf('output', {
    inputType,
    'config.mode': mode,
    'config.secondPath': isOn,
  })
  const names = [...shownFields(values)].filter((name) => name.includes('secondPath'))
  expect(names).toHaveLength(count)
})
