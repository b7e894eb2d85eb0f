/* SPDX-License-Identifier: MIT */
/*
 * Switches between stacks, x86-64 System V. See stacks/context.hpp for what is promised.
 *
 * A flow that was left has on its stack, from its stack pointer upwards: r15 r14 r13 r12 rbx rbp
 * and the address where it goes on. The same six for all three functions, so that any of them
 * continues what any other left. context::sp is the first member: a context's address is that of
 * the stack pointer. `struct stack` begins where its stack ends: its address is the stack pointer
 * to begin with, and 64-byte aligned, as the convention wants it before a call.
 *
 * The end of an entry point goes on with `ret`: the processor's stack of return addresses is in
 * step with ours, and the prediction is right. The others go on with an indirect jump, because a
 * `ret` would be predicted wrongly each time: measured, a round trip of switches takes 28 ns with
 * `ret` and 8.7 with the jump.
 *
 * Each function begins a cache line: where sg_stacks_switch lay across two, it took twice as long
 * (19 ns for 10, beside fcontext's 15, on a busy machine).
 */

#define SAVED_BYTES 48

    .text

/* Pushes what a callee must preserve; the unwinder is told where it lies. */
.macro save_registers
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %r15, 0
.endm

/* Pops the registers of the flow to go on with; its address is next on the stack. */
.macro load_registers
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_same_value %rbp
.endm

/* Goes on where the top of the stack says. `notrack`: the place is one after a call, which has no
 * endbr64. */
.macro jump_to_flow
    popq %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rcx
    notrack jmp *%rcx
.endm

/* void sg_stacks_switch(context *from, context *to) */
    .globl sg_stacks_switch
    .hidden sg_stacks_switch
    .type sg_stacks_switch, @function
    .p2align 6
sg_stacks_switch:
    .cfi_startproc
    endbr64
    save_registers
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    load_registers
    jump_to_flow
    .cfi_endproc
    .size sg_stacks_switch, . - sg_stacks_switch

/*
 * void sg_stacks_start(context *from, stack *s, entry_point entry, void *argument)
 *
 * The call is the bottom of the new stack: a frame pointer of 0 and an undefined return address
 * end every backtrace there.
 *
 * An entry point that returns null goes on with `from`, and that is what has to be fast: %rbx,
 * which it has preserved as any function does, still holds the stack pointer of `from`, so nothing
 * waits for a load of it, and of the other registers only those have to be loaded that were changed
 * here.
 */
    .globl sg_stacks_start
    .hidden sg_stacks_start
    .type sg_stacks_start, @function
    .p2align 6
sg_stacks_start:
    .cfi_startproc
    endbr64
    save_registers
    movq %rsp, (%rdi)
    movq %rsp, %rbx
    .cfi_remember_state
    .cfi_remember_state
    .cfi_undefined %rip
    movq %rsi, %rsp
    movq %rcx, %rdi
    xorl %ebp, %ebp
    call *%rdx
    testq %rax, %rax
    jnz 1f
    leaq SAVED_BYTES(%rbx), %rsp
    .cfi_restore_state
    .cfi_def_cfa_offset 8
    movq SAVED_BYTES - 8(%rbx), %rbp
    movq SAVED_BYTES - 16(%rbx), %rbx
    ret
1:
    .cfi_undefined %rip
    movq (%rax), %rsp
    .cfi_restore_state
    load_registers
    ret
    .cfi_endproc
    .size sg_stacks_start, . - sg_stacks_start

/* void sg_stacks_leave(context *to) */
    .globl sg_stacks_leave
    .hidden sg_stacks_leave
    .type sg_stacks_leave, @function
    .p2align 6
sg_stacks_leave:
    .cfi_startproc
    endbr64
    movq (%rdi), %rsp
    .cfi_def_cfa_offset SAVED_BYTES + 8
    load_registers
    jump_to_flow
    .cfi_endproc
    .size sg_stacks_leave, . - sg_stacks_leave

    .section .note.GNU-stack, "", @progbits

/* These functions may be jumped to under indirect branch tracking. They replace return addresses
 * behind a shadow stack's back, so they do not declare that they work with one. */
    .section .note.gnu.property, "a"
    .p2align 3
    .long 4          /* length of the name */
    .long 16         /* length of the description */
    .long 5          /* NT_GNU_PROPERTY_TYPE_0 */
    .asciz "GNU"
    .long 0xc0000002 /* GNU_PROPERTY_X86_FEATURE_1_AND */
    .long 4
    .long 1          /* IBT */
    .long 0
