/** The configuration as text, as it will be saved; changed lines are marked. */
import { Icon } from '../../ui/symbol/Icon.tsx'
import type { ConfigForm } from './config-form.hook.ts'
import { textLines } from './config-form.rules.ts'
import classes from './ConfigText.module.css'

export function ConfigText({ form }: { form: ConfigForm }) {
  const { base, values } = form.state
  const lines = textLines(base, values)
  const changed = lines.filter(({ isChanged }) => isChanged).length
  return (
    <details className={classes.text}>
      <summary>
        <Icon name="right" size={14} />
        Config text
        <span className={classes.count}>{changedText(changed)}</span>
      </summary>
      {/* A long target makes it wider than its box: the keyboard must get to its end. */}
      <pre className={classes.lines} role="region" aria-label="Config text" tabIndex={0}>
        {lines.map(({ text, isChanged }, index) => (
          // Lines have no name but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} data-changed={isChanged || undefined}>
            {text}
          </span>
        ))}
      </pre>
    </details>
  )
}

function changedText(lines: number): string {
  if (lines === 0) return 'no lines changed'
  return lines === 1 ? '1 line changed' : `${lines} lines changed`
}
