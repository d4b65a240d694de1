/** What `trunkline doctor` and `trunkline-agent doctor` find, and how it is printed. Pure. */

export interface Finding {
  /** note: nothing is wrong, and an administrator may want to know it. */
  level: 'ok' | 'note' | 'wrong'
  /** What is there, or what is missing or wrong. */
  sentence: string
  /** The command that puts it right, or what to do; '' where there is nothing to do. */
  fix: string
}

export function ok(sentence: string): Finding {
  return { level: 'ok', sentence, fix: '' }
}

export function note(sentence: string, fix = ''): Finding {
  return { level: 'note', sentence, fix }
}

export function wrong(sentence: string, fix: string): Finding {
  return { level: 'wrong', sentence, fix }
}

export interface Report {
  /** A line a finding, with its fix below it. */
  text: string
  /** 0: all is well. 1: something is wrong. */
  exitCode: 0 | 1
}

const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok     ',
  note: 'note   ',
  wrong: 'WRONG  ',
}

/** What is wrong comes last, where a terminal still shows it. */
export function reportOf(findings: readonly Finding[]): Report {
  const lines = (level: Finding['level']) =>
    findings
      .filter((finding) => finding.level === level)
      .flatMap(({ sentence, fix }) => [
        `${MARKS[level]}${sentence}`,
        ...(fix === '' ? [] : [`       Fix: ${fix}`]),
      ])
  const count = findings.filter(({ level }) => level === 'wrong').length
  const sum = count === 0 ? 'All is well.' : count === 1 ? '1 fault.' : `${count} faults.`
  const all = [...lines('ok'), ...lines('note'), ...lines('wrong'), '', sum]
  return { text: `${all.join('\n')}\n`, exitCode: count === 0 ? 0 : 1 }
}

/** Further apart than this, times of a host and of the console cannot be compared. */
const CLOCK_LIMIT_MS = 5000

/**
 * `who`: whose clock it is, as 'The clock of the host gw1:8010'. `aheadMs`: of this machine's clock;
 * measured by whole seconds. `fix`: on which machine the clock is set.
 */
export function clockFinding(who: string, aheadMs: number, fix: string): Finding {
  if (Math.abs(aheadMs) <= CLOCK_LIMIT_MS) {
    return ok(`${who} and the clock of this machine agree.`)
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return wrong(`${who} is ${seconds} s ${direction} the clock of this machine.`, fix)
}
