/** `trunkline audit check`: whether the record of activity is what was written into it. */
import { checkRecord, type RecordCheck } from '../audit/seals/record-seal.service.ts'
import { COMMAND_NAME, readArguments, UsageFault, type Command } from './command.ts'
import { openDatabase } from './database.ts'

export const auditCommand: Command = {
  noun: 'audit',
  help: `  ${COMMAND_NAME} audit check
      Says whether the record of activity is as it was written: a line that was changed, added or
      removed in the database, behind the API's back, shows. The API seals the record every hour, with
      a key from the secret file. Also while the API runs. Exit code 1 when something is wrong.
`,
  async run(args) {
    const { positionals } = readArguments(args, {})
    if (positionals.length !== 1 || positionals[0] !== 'check') {
      throw new UsageFault('audit takes one word: check.')
    }
    await using ctx = await openDatabase({ mayBeMade: false })
    const check = await checkRecord(ctx)
    return { text: textOf(check), exitCode: check.faults.length === 0 ? 0 : 1 }
  },
}

function textOf({ seals, lines, from, to, digest, faults }: RecordCheck): string {
  if (from === null || to === null) {
    return 'Nothing is sealed yet. The API seals the lines of each hour ten to twenty minutes after its end.\n'
  }
  const what = `lines: ${lines.toLocaleString('en')}, from ${from} to ${to}; seals: ${seals.toLocaleString('en')}. The newest seal is ${digest}; the log of the API has it too.\n`
  if (faults.length === 0) return `The record of activity is as it was written: ${what}`
  return `The record of activity is not as it was written:\n${faults.map((fault) => `- ${fault}\n`).join('')}Looked at: ${what}`
}
