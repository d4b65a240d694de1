/** How this browser shows the console: its language and its times. Both are chosen by a press. */
import { LANGUAGES, type Language } from '@trunkline/contract/session/language.rules'
import { useId } from 'react'
import { chooseLanguage, LANGUAGE, LANGUAGE_NAMES } from '../../lib/locale/language.ts'
import { TIMES as ALL_TIMES, type Times } from '../../lib/storage.ts'
import { BROWSER_ZONE, chooseTimes, TIMES } from '../../lib/locale/time-zone.ts'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import classes from './DisplaySection.module.css'

const TIMES_WORDS: Readonly<Record<Times, string>> = { utc: 'UTC', local: 'Local' }

export function DisplaySection() {
  const titleId = useId()
  return (
    <section className={classes.display} aria-labelledby={titleId}>
      <h3 id={titleId}>Language and times</h3>
      <p>Of this browser. The page is loaded again; what is typed here is lost.</p>
      <Segmented<Language>
        label="Language"
        segments={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], count: null }))}
        value={LANGUAGE}
        onChange={chooseLanguage}
      />
      <Segmented<Times>
        label={`Times: UTC, or as this computer's clock shows them (${BROWSER_ZONE})`}
        segments={ALL_TIMES.map((value) => ({ value, label: TIMES_WORDS[value], count: null }))}
        value={TIMES}
        onChange={chooseTimes}
      />
    </section>
  )
}
