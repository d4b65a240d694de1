/** A dialog that edits one object: its fields, what the server said, cancel and save. */
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Form } from './form.hook.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog, type DialogWidth } from '../ui/dialog/Dialog.tsx'
import { Band } from '../ui/notice/Notice.tsx'
import classes from './FormDialog.module.css'
import { LeaveButtons, LeaveGuard } from './leave/AskBeforeLeaving.tsx'
import { useLeaveQuestion } from './leave/leave-question.hook.ts'
import { AWAITED, ENTERED } from './unsaved.messages.ts'

interface FormDialogProps<T> {
  title: string
  subtitle?: ReactNode
  width: DialogWidth
  form: Form<T>
  /** 'Add user', 'Save'. */
  saveLabel: string
  /** DLG-06 wants submit disabled while something is missing; the reason is said on it. */
  disabledReason?: string | null
  /** By Cancel, the cross and Escape at once (DLG-13); a click beside it and another page ask when something was entered. */
  onClose: () => void
  /** The answer to the save shows what cannot be read again: while it is awaited, all ways out ask first. */
  isAnswerShownOnce?: boolean
  /** Where closing does not undo what was begun. */
  closeLabel?: string
  /** Left in the footer: an action that is not save. */
  aside?: ReactNode
  children: ReactNode
}

export function FormDialog<T>(props: FormDialogProps<T>) {
  const { form } = props
  const disabledReason = form.isPending ? '' : (props.disabledReason ?? null)
  const { element, countTry } = useFocusOnFault(form.isPending)
  const isAwaited = props.isAnswerShownOnce === true && form.isPending
  const leaving = useLeaveQuestion(
    isAwaited || (form.isChanged && !form.isPending),
    () => !isAwaited && form.isSaving(),
  )
  const askAndClose = () => void leaving.ask().then((isConfirmed) => isConfirmed && props.onClose())
  const close = isAwaited ? askAndClose : props.onClose
  return (
    <Dialog
      title={props.title}
      subtitle={props.subtitle}
      width={props.width}
      isOpen
      onClose={close}
      onClickBeside={askAndClose}
      footer={
        leaving.isAsking ? (
          <LeaveButtons leaving={leaving} {...(isAwaited ? AWAITED : ENTERED)} />
        ) : (
          <>
            {props.aside !== undefined && <span className={classes.aside}>{props.aside}</span>}
            <Button size={36} onClick={close}>
              {props.closeLabel ?? 'Cancel'}
            </Button>
            <Button
              size={36}
              tone="primary"
              type="submit"
              form={FORM_ID}
              disabledReason={disabledReason}
              aria-busy={form.isPending || undefined}
            >
              {props.saveLabel}
            </Button>
          </>
        )
      }
    >
      <LeaveGuard leaving={leaving} />
      <FirstFocus element={element} />
      <form
        ref={element}
        id={FORM_ID}
        className={classes.form}
        onSubmit={(event) => {
          form.submit(event)
          countTry()
        }}
        noValidate
      >
        {props.children}
        <div role="alert">
          <Trouble form={form} />
        </div>
      </form>
    </Dialog>
  )
}

/** One dialog with a form is open at a time. */
const FORM_ID = 'dialog-form'

/**
 * The first field of a form that names none has the focus, also where it is read after the dialog has
 * opened: until then the focus is on the cross. Whoever went elsewhere meanwhile stays there. Within the
 * dialog, which draws what is in it later than itself.
 */
function FirstFocus({ element }: { element: RefObject<HTMLFormElement | null> }) {
  const isDone = useRef(false)
  useEffect(() => {
    const form = element.current
    if (isDone.current || form === null) return
    const field = form.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled)')
    if (field === null) return
    isDone.current = true
    if (form.querySelector('[data-autofocus]') !== null) return
    // A dialog that only now takes the focus looks for this mark.
    field.dataset.autofocus = ''
    const now = document.activeElement
    const isOnCross = now?.closest('[role="dialog"]') === form.closest('[role="dialog"]')
    if (isOnCross && now?.closest('form, [data-footer]') === null) field.focus()
  })
  return null
}

/**
 * After a save that was refused, here or by the API, the first field at fault has the focus; what
 * is said of the whole form, at its end, is brought into sight.
 */
function useFocusOnFault(isPending: boolean) {
  const element = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries === 0 || isPending) return
    const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector)
    const field = find('[data-bad] :is(input, select, textarea)')
    if (field) field.focus()
    else find('[role="alert"] > *')?.scrollIntoView({ block: 'nearest' })
  }, [tries, isPending])
  return { element, countTry: () => setTries((now) => now + 1) }
}

function Trouble<T>({ form }: { form: Form<T> }) {
  const { conflict, failure } = form
  if (conflict !== null) {
    return (
      <Band
        family="warn"
        shape="triangle"
        action={
          <>
            <Button size={28} onClick={conflict.takeTheirs}>
              Take theirs
            </Button>
            <Button size={28} onClick={conflict.keepMine}>
              Save mine
            </Button>
          </>
        }
      >
        {conflict.sentence}
        {conflict.differs.length > 0 && <> Differs: {conflict.differs.join(', ')}.</>}
      </Band>
    )
  }
  if (failure === '') return null
  return (
    <Band family="bad" shape="octagon">
      {failure}
    </Band>
  )
}
