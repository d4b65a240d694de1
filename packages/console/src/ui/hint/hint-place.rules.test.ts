import { expect, test } from 'vitest'
import { BUBBLE_PX, placeOf } from './hint-place.rules.ts'

function buttonIn(html: string, cellLeftPx: number): HTMLElement {
  const place = document.createElement('div')
  place.innerHTML = html
  const cell = place.querySelector('td')
  if (cell !== null) cell.getBoundingClientRect = () => new DOMRect(cellLeftPx, 0, 120, 44)
  return place.querySelector('button') as HTMLElement
}

const ROW = '<table><tbody><tr><td><button>Stop</button></td></tr></tbody></table>'

test('a hint of a row’s button stands beside its cell, so that no neighbouring row is covered', () => {
  const button = buttonIn(ROW, BUBBLE_PX)
  expect(placeOf(button)).toEqual({ anchor: button.closest('td'), position: 'left' })
})

test('a hint elsewhere, or of a cell without room beside it, stands above', () => {
  const narrow = buttonIn(ROW, BUBBLE_PX - 1)
  expect(placeOf(narrow)).toEqual({ anchor: narrow, position: 'top' })
  const alone = buttonIn('<p><button>Stop</button></p>', 0)
  expect(placeOf(alone)).toEqual({ anchor: alone, position: 'top' })
})
