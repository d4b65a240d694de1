/** The one question dialog: 'Are you sure?', what happens, and two verbs. The safe one has the focus. */
import { useQuestion } from '../lib/confirm.ts'
import { Button } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'

/** DLG-06: word for word. */
const ARE_YOU_SURE = 'Are you sure?'

export function ConfirmDialog() {
  const { question, isOpen, answer } = useQuestion()
  return (
    <Dialog
      title={ARE_YOU_SURE}
      width={440}
      isOpen={isOpen}
      onClose={() => answer(false)}
      footer={
        <>
          <Button size={36} data-autofocus onClick={() => answer(false)}>
            {question?.keepLabel}
          </Button>
          <Button size={36} tone="danger" onClick={() => answer(true)}>
            {question?.doLabel}
          </Button>
        </>
      }
    >
      {question?.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Dialog>
  )
}
