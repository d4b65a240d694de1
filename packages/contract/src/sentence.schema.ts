/** What the API and the agents tell people, in English: causes, remedies, reasons for a refusal. */
import { z } from 'zod'

type Reader = (sentence: string) => string

let reader: Reader | null = null

/** Of a console in another language: from then on every sentence of an answer is read by it. */
export function readSentencesBy(read: Reader | null): void {
  reader = read
}

/** A sentence to be shown as it is. Not for what people name, nor for what a program compares. */
export const Sentence = z.string().overwrite(read)

/** As a record of activity has it: 'start', or 'start: The host does not answer.' The command is no part of the sentence. */
export const CommandSentence = z.string().overwrite((text) => {
  const command = /^[a-z]+: (?=[A-Z])/.exec(text)?.[0] ?? ''
  return `${command}${read(text.slice(command.length))}`
})

function read(text: string): string {
  return reader === null ? text : reader(text)
}
