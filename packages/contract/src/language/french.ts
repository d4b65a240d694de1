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

/** Makes the reader anew: it prepares some thousand patterns. */
export function frenchReader(): (sentence: string) => string {
  return sentenceReader({ ...contract.texts, ...agent.texts, ...api.texts }, api.words)
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
