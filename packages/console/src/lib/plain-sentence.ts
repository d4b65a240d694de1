/** ERR-47: what of an error text may be shown to an operator. */

/** A frame of a stack: V8, Firefox and Safari, Java, Python. */
const STACK_LINE =
  /^\s*(?:at\s+\S.*|\S*@\S+:\d+(?::\d+)?|Traceback \(most recent call last\):|File ".*", line \d+.*|Caused by:.*|\.{3} \d+ more)\s*$/
/** A frame that follows its message in the same line. */
const STACK_TAIL = /\s+at\s+(?:async\s+)?(?:\S+\s+)?\(?(?:file:|node:|\/|[A-Za-z]:\\)\S*:\d+.*$/
/** What a program prints in place of a value that it did not have. */
const NO_TEXT = /\[object \w+\]|^(?:undefined|null|NaN|\{\}|\[\])$/
const PROGRAM_ERROR = /^(?:Uncaught )?(?:Type|Reference|Range|Syntax)Error\b.*\bundefined\b/

/** @returns the first line that is neither a stack nor a placeholder; '' when there is none */
export function plainSentence(text: string): string {
  for (const line of text.split(/\r\n|\r|\n/)) {
    const sentence = STACK_LINE.test(line) ? '' : line.replace(STACK_TAIL, '').trim()
    if (sentence !== '' && !NO_TEXT.test(sentence) && !PROGRAM_ERROR.test(sentence)) return sentence
  }
  return ''
}
