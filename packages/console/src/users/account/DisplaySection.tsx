/** How a person reads the console: its language and its times. Both are chosen by a press. */
import { TIMES as ALL_TIMES, type Times } from '@trunkline/contract/session/display.schema'
import { LANGUAGES, type Language } from '@trunkline/contract/session/language.rules'
import { useId } from 'react'
import { LANGUAGE, LANGUAGE_NAMES } from '../../lib/locale/language.ts'
import { BROWSER_ZONE, TIMES } from '../../lib/locale/time-zone.ts'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { useChooseDisplay } from './account.actions.ts'
import classes from './DisplaySection.module.css'

const TIMES_WORDS: Readonly<Record<Times, string>> = { utc: 'UTC', local: 'Local' }

interface DisplaySectionProps {
  userId: string
  /** Of the account, as it was read; undefined until then. */
  version: number | undefined
}

export function DisplaySection({ userId, version }: DisplaySectionProps) {
  const titleId = useId()
  const choose = useChooseDisplay(userId, version)
  return (
    <section className={classes.display} aria-labelledby={titleId}>
      <h3 id={titleId}>Language and times</h3>
      <p>Kept with your account. The page reloads, and unsaved input is lost.</p>
      <Segmented<Language>
        label="Language"
        segments={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], count: null }))}
        value={LANGUAGE}
        onChange={(language) => choose({ language })}
      />
      <Segmented<Times>
        label={`Times: UTC, or as this computer's clock shows them (${BROWSER_ZONE})`}
        segments={ALL_TIMES.map((value) => ({ value, label: TIMES_WORDS[value], count: null }))}
        value={TIMES}
        onChange={(times) => choose({ times })}
      />
    </section>
  )
}
