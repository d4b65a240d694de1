/** XML-RPC as supervisord speaks it: encoding of calls, decoding of answers. Pure. */
import { XMLParser } from 'fast-xml-parser'

type Value = string | number | boolean | Value[] | { [name: string]: Value }
type Outcome = { value: Value } | { fault: number; message: string }
/** One element in document order: its name to its children, or '#text' to its text. */
type Node = Record<string, unknown>

const parser = new XMLParser({
  preserveOrder: true,
  parseTagValue: false,
  trimValues: false,
  // The names of XML alone, which is all that Python writes: a table of HTML's costs every parse.
  processEntities: true,
  htmlEntities: false,
})

export function encodeCall(method: string, params: readonly (string | boolean)[]): string {
  const values = params.map((param) => `<param><value>${encodeValue(param)}</value></param>`)
  return `<?xml version="1.0"?><methodCall><methodName>${escapeText(method)}</methodName><params>${values.join('')}</params></methodCall>`
}

function encodeValue(value: string | boolean): string {
  if (typeof value === 'boolean') return `<boolean>${value ? 1 : 0}</boolean>`
  return `<string>${escapeText(value)}</string>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Throws when the text is no answer at all. */
export function readReply(xml: string): Outcome {
  const reply = child(parser.parse(xml) as Node[], 'methodResponse')
  const fault = reply && child(reply, 'fault')
  if (fault) return readFault(decode(child(fault, 'value')))
  const param = reply && child(child(reply, 'params') ?? [], 'param')
  if (!param) throw new Error('supervisord answered something that is no XML-RPC answer.')
  return { value: decode(child(param, 'value')) }
}

function readFault(value: Value): Outcome {
  const fields = typeof value === 'object' && !Array.isArray(value) ? value : {}
  const text = fields['faultString']
  return { fault: Number(fields['faultCode']), message: typeof text === 'string' ? text : '' }
}

function decode(value: Node[] | undefined): Value {
  const typed = value?.find((node) => !('#text' in node))
  if (!typed) return textOf(value)
  const kind = Object.keys(typed).find((name) => name !== ':@') ?? ''
  const inner = typed[kind] as Node[]
  switch (kind) {
    case 'int':
    case 'i4':
    case 'double':
      return Number(textOf(inner))
    case 'boolean':
      return textOf(inner) === '1'
    case 'array':
      return children(child(inner, 'data') ?? [], 'value').map(decode)
    case 'struct':
      return Object.fromEntries(
        children(inner, 'member').map((member) => [
          textOf(child(member, 'name')),
          decode(child(member, 'value')),
        ]),
      )
    default:
      return textOf(inner)
  }
}

function children(nodes: readonly Node[], name: string): Node[][] {
  return nodes.filter((node) => name in node).map((node) => node[name] as Node[])
}

function child(nodes: readonly Node[], name: string): Node[] | undefined {
  return children(nodes, name)[0]
}

function textOf(nodes: readonly Node[] | undefined): string {
  return (nodes ?? []).map((node) => ('#text' in node ? String(node['#text']) : '')).join('')
}
