/**
 * The French of what the API and the agents tell people. The console reads their answers by it, the API
 * writes e-mails, webhooks and traps by it.
 */
import agent from './french/agent.json' with { type: 'json' }
import api from './french/api.json' with { type: 'json' }
import common from './french/common.json' with { type: 'json' }
import contract from './french/contract.json' with { type: 'json' }
import messages from './french/messages.json' with { type: 'json' }
import { sentenceReader } from './sentence-reader.rules.ts'

/** A figure before its unit: '2.5 ms' and '1.2 GB', in French '2,5 ms' and '1,2 Go'. */
const DECIMAL = /(?<![\d.])(\d+)\.(\d+)(?=\s(?:%|ms\b|s\b|[kM]bit\/s|[kMGT]?[Bo]\b))/gu

/** Makes the reader anew: it prepares some thousand patterns. */
export function frenchReader(): (sentence: string) => string {
  const read = sentenceReader({ ...contract.texts, ...agent.texts, ...api.texts }, api.words)
  return (sentence) => {
    const french = read(sentence)
    // What is not known stays as its tool wrote it.
    return french === sentence ? french : french.replaceAll(DECIMAL, '$1,$2')
  }
}

/** By English: the texts of a message, the titles of the alarm rules and the parts of the console. */
export function frenchMessageTexts(): Readonly<Record<string, string>> {
  return {
    ...common.texts,
    ...contract.texts,
    ...contract.in['alarms/alarm.rules.ts'],
    ...contract.in['alarms/console-parts.ts'],
    ...messages.texts,
  }
}
