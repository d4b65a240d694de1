/** Reads what the API and the agents tell in French. Loaded by the French console alone. */
import { frenchReader } from '@trunkline/contract/language/french'
import { readSentencesBy } from '@trunkline/contract/sentence.schema'

/** From now on; to be called before anything is asked of the API. */
export function readFrench(): void {
  readSentencesBy(frenchReader())
}
