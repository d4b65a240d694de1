/** Reads what the API and the agents tell in French. Loaded by the French console alone. */
import { readSentencesBy } from '@trunkline/contract/sentence.schema'
import agent from './french/agent.json'
import api from './french/api.json'
import contract from './french/contract.json'
import { sentenceReader } from './sentence-reader.rules.ts'

/** From now on; to be called before anything is asked of the API. */
export function readFrench(): void {
  readSentencesBy(sentenceReader({ ...contract.texts, ...agent.texts, ...api.texts }))
}
