import { expect, test } from 'vitest'
import { encodeCall, readReply } from './xml-rpc.ts'

const envelope = (value: string) =>
  `<?xml version='1.0'?>\n<methodResponse>\n<params>\n<param>\n<value>${value}</value>\n</param>\n</params>\n</methodResponse>\n`

const values: [xml: string, value: unknown][] = [
  ['<int>4711</int>', 4711],
  ['<boolean>1</boolean>', true],
  ['<boolean>0</boolean>', false],
  ['<string>RUNNING</string>', 'RUNNING'],
  ['<string></string>', ''],
  ['<string> spaced  text </string>', ' spaced  text '],
  ['<string>a &lt;b&gt; &amp; ä</string>', 'a <b> & ä'],
  ['untyped', 'untyped'],
  [
    '<array><data>\n<value><array><data>\n<value><array><data>\n<value><string>in1</string></value>\n</data></array></value>\n<value><array><data>\n</data></array></value></data></array></value>\n</data></array>',
    [[['in1'], []]],
  ],
  [
    '<struct>\n<member>\n<name>pid</name>\n<value><int>7</int></value>\n</member>\n<member>\n<name>spawnerr</name>\n<value><string></string></value>\n</member>\n</struct>',
    { pid: 7, spawnerr: '' },
  ],
]

test.each(values)('a value as supervisord writes it: %s', (xml, value) => {
  expect(readReply(envelope(xml))).toEqual({ value })
})

test('a fault has its code', () => {
  const xml =
    "<?xml version='1.0'?><methodResponse><fault><value><struct><member><name>faultCode</name><value><int>10</int></value></member><member><name>faultString</name><value><string>BAD_NAME: x</string></value></member></struct></value></fault></methodResponse>"
  expect(readReply(xml)).toEqual({ fault: 10, message: 'BAD_NAME: x' })
})

test('any other text is an invalid answer', () => {
  expect(() => readReply('<html>502</html>')).toThrow('no XML-RPC answer')
})

test('parameters cannot leave their element', () => {
  expect(encodeCall('supervisor.startProcess', ['</string><x>&', false])).toBe(
    '<?xml version="1.0"?><methodCall><methodName>supervisor.startProcess</methodName><params><param><value><string>&lt;/string&gt;&lt;x&gt;&amp;</string></value></param><param><value><boolean>0</boolean></value></param></params></methodCall>',
  )
})
