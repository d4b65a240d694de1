import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { LINK_TEST_DIALOG } from './link-test.loader.ts'

interface TestLinkButtonProps {
  /** Chosen from the start; '' for none. */
  fromServerId: string
  toServerId: string
}

/** Opens the test of a link between two servers; nothing for who may not test. */
export function TestLinkButton({ fromServerId, toServerId }: TestLinkButtonProps) {
  const [isOpen, setOpen] = useState(false)
  if (!mayDo(useRole(), 'testLinks')) return null
  return (
    <>
      <Button size={28} icon="move" onClick={() => setOpen(true)}>
        Test a link…
      </Button>
      {isOpen && (
        <LaterDialog
          part={LINK_TEST_DIALOG}
          props={{ fromServerId, toServerId, onClose: () => setOpen(false) }}
        />
      )}
    </>
  )
}
