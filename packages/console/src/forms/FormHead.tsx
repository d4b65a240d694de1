/** Head of a form's page: the way back, the live state, what is unsaved, and saving. */
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import type { ReactNode } from 'react'
import { askFirst } from '../lib/confirm.ts'
import { Age } from '../shared/state/Age.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { StateChip } from '../shared/state/StateChip.tsx'
import { Button } from '../ui/button/Button.tsx'
import classes from './FormPage.module.css'
import type { PageForm } from './page-form.hook.ts'
import { discardSentences, NO_CHANGES, unsavedText, VIEW_ONLY } from './unsaved.messages.ts'

interface FormHeadProps<T extends object, C> {
  form: PageForm<T, C>
  /** Of the page. */
  title: string
  back: ReactNode
  /** Null for what has no state. */
  view: StateView | null
  /** What is edited, as the question before discarding names it. */
  name: string
  /** Why it cannot be saved at all; null when it can. */
  disabledReason: string | null
  mayRestart: boolean
  /** Beside the state: that it is on air. */
  onAir?: ReactNode
  /** Before the buttons. */
  tools?: ReactNode
}

export function FormHead<T extends object, C>(props: FormHeadProps<T, C>) {
  const { form, view } = props
  return (
    <PageHead
      isSticky
      title={props.title}
      lead={props.back}
      views={
        view === null ? undefined : (
          <span className={classes.state}>
            <StateChip view={view} />
            {view.sinceMs !== null && <Age sinceMs={view.sinceMs} />}
            {props.onAir}
          </span>
        )
      }
      tools={
        form.isReadOnly ? (
          <span className={classes.unsaved}>{VIEW_ONLY}</span>
        ) : (
          <div className={classes.tools}>
            <span className={classes.unsaved} role="status">
              {unsavedText(form.changes.length)}
            </span>
            {props.tools}
            <SaveButtons {...props} />
          </div>
        )
      }
    />
  )
}

/** Discard, Save and, for what runs, Save and restart. */
function SaveButtons<T extends object, C>({ form, name, ...props }: FormHeadProps<T, C>) {
  const { isPending, isNew } = form
  const count = form.changes.length
  const idleReason = isPending ? '' : count === 0 && !isNew ? NO_CHANGES : null
  const disabledReason = props.disabledReason ?? idleReason
  const discard = async () => {
    const sentences = discardSentences(name, count)
    const isConfirmed = await askFirst({ sentences, doLabel: 'Discard', keepLabel: 'Keep editing' })
    if (isConfirmed) form.take({ step: 'discard' })
  }
  return (
    <>
      <Button
        disabledReason={count === 0 ? NO_CHANGES : isPending ? '' : null}
        onClick={() => void discard()}
      >
        Discard
      </Button>
      {props.mayRestart && (
        <Button disabledReason={disabledReason} onClick={() => form.save('restart')}>
          Save and restart
        </Button>
      )}
      <Button
        tone="primary"
        disabledReason={disabledReason}
        aria-busy={isPending || undefined}
        onClick={() => form.save('leave')}
      >
        Save
      </Button>
    </>
  )
}
