import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import type { ChosenEnds } from './link-test-form.rules.ts'
import { LINK_TEST_DIALOG } from './link-test.loader.ts'

/** Opens the test of a link with these ends chosen; nothing for who may not test. */
export function TestLinkButton({ ends }: { ends: ChosenEnds }) {
  const [isOpen, setOpen] = useState(false)
  if (!mayDo(useRole(), 'testLinks')) return null
  return (
    <>
      <Button size={28} icon="move" onClick={() => setOpen(true)}>
        Test a link…
      </Button>
      {isOpen && (
        <LaterDialog part={LINK_TEST_DIALOG} props={{ ends, onClose: () => setOpen(false) }} />
      )}
    </>
  )
}
