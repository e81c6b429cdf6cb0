//! Every number of the wondev bot, one line each.
//!
//! Evaluation weights come per league (`c_` league 0, `p_` league 1, `q_` leagues 2 and 3, `s_` for
//! a survivor playing on alone, and in league 1 once no cell can be reached by both) and per stage:
//! `_e` on an empty board, `_l` on a full one, blended between by the share of levels built (in league 1
//! by its square). They were fitted to results of games against itself (logistic, 200 to the unit), then checked by
//! matches (`benches/MEASURED.md`): a better fit alone says little.

crate::tunables_with_table! {
    /// Evaluation, search and time.
    pub struct Weights with terms: [i32; 200] {
        /// Cells of height 0 reached first.
        c_area0_e: i32 = -4, -600, 600, 8, hand 20;
        /// Cells of height 0 reached first.
        c_area0_l: i32 = -7, -600, 600, 8, hand 20;
        /// Cells of height 1 reached first.
        c_area1_e: i32 = 8, -600, 600, 8, hand 25;
        /// Cells of height 1 reached first.
        c_area1_l: i32 = -56, -600, 600, 8, hand 25;
        /// Cells of height 2 reached first.
        c_area2_e: i32 = 10, -600, 600, 8, hand 35;
        /// Cells of height 2 reached first.
        c_area2_l: i32 = -66, -600, 600, 8, hand 35;
        /// Cells of height 3 reached first.
        c_area3_e: i32 = 61, -600, 600, 8, hand 25;
        /// Cells of height 3 reached first.
        c_area3_l: i32 = 57, -600, 600, 8, hand 25;
        /// Of the cells of height 0, those first reached by a second step.
        c_near0_e: i32 = 6, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a second step.
        c_near0_l: i32 = -11, -600, 600, 8, hand 0;
        /// The same, height 1.
        c_near1_e: i32 = 70, -600, 600, 8, hand 0;
        /// The same, height 1.
        c_near1_l: i32 = -101, -600, 600, 8, hand 0;
        /// The same, height 2.
        c_near2_e: i32 = 214, -600, 600, 8, hand 0;
        /// The same, height 2.
        c_near2_l: i32 = -94, -600, 600, 8, hand 0;
        /// The same, height 3.
        c_near3_e: i32 = 46, -600, 600, 8, hand 0;
        /// The same, height 3.
        c_near3_l: i32 = 92, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        c_next0_e: i32 = 6, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        c_next0_l: i32 = 18, -600, 600, 8, hand 0;
        /// The same, height 1.
        c_next1_e: i32 = -2, -600, 600, 8, hand 0;
        /// The same, height 1.
        c_next1_l: i32 = 42, -600, 600, 8, hand 0;
        /// The same, height 2.
        c_next2_e: i32 = 59, -600, 600, 8, hand 0;
        /// The same, height 2.
        c_next2_l: i32 = 90, -600, 600, 8, hand 0;
        /// The same, height 3.
        c_next3_e: i32 = -32, -600, 600, 8, hand 0;
        /// The same, height 3.
        c_next3_l: i32 = -72, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        c_reach_e: i32 = 10, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        c_reach_l: i32 = -12, -600, 600, 8, hand 0;
        /// Of these, height 3.
        c_reach3_e: i32 = -18, -600, 600, 8, hand 0;
        /// Of these, height 3.
        c_reach3_l: i32 = -20, -600, 600, 8, hand 0;
        /// Units on height 1.
        c_on1_e: i32 = 73, -600, 600, 8, hand 50;
        /// Units on height 1.
        c_on1_l: i32 = 317, -600, 600, 8, hand 50;
        /// Units on height 2.
        c_on2_e: i32 = 322, -600, 600, 8, hand 150;
        /// Units on height 2.
        c_on2_l: i32 = 256, -600, 600, 8, hand 150;
        /// Units on height 3.
        c_on3_e: i32 = 150, -600, 600, 8, hand 150;
        /// Units on height 3.
        c_on3_l: i32 = 150, -600, 600, 8, hand 150;
        /// Steps onto height 0.
        c_step0_e: i32 = 6, -600, 600, 8, hand 10;
        /// Steps onto height 0.
        c_step0_l: i32 = -47, -600, 600, 8, hand 10;
        /// Steps onto height 1.
        c_step1_e: i32 = 91, -600, 600, 8, hand 20;
        /// Steps onto height 1.
        c_step1_l: i32 = -75, -600, 600, 8, hand 20;
        /// Steps onto height 2.
        c_step2_e: i32 = 291, -600, 600, 8, hand 50;
        /// Steps onto height 2.
        c_step2_l: i32 = -39, -600, 600, 8, hand 50;
        /// Steps onto height 3.
        c_step3_e: i32 = 533, -600, 600, 8, hand 70;
        /// Steps onto height 3.
        c_step3_l: i32 = 151, -600, 600, 8, hand 70;
        /// Units with at most one step.
        c_tight_e: i32 = -39, -600, 600, 8, hand -60;
        /// Units with at most one step.
        c_tight_l: i32 = 26, -600, 600, 8, hand -60;
        /// Points.
        c_point_e: i32 = 0, -600, 600, 8, hand 0;
        /// Points.
        c_point_l: i32 = 0, -600, 600, 8, hand 0;
        /// To move.
        c_tempo_e: i32 = 67, -600, 600, 8, hand 10;
        /// To move.
        c_tempo_l: i32 = 236, -600, 600, 8, hand 10;
        /// Units that cannot step.
        c_stuck_e: i32 = -152, -600, 600, 8, hand 0;
        /// Units that cannot step.
        c_stuck_l: i32 = -40, -600, 600, 8, hand 0;
        /// Cells of height 0 reached first.
        p_area0_e: i32 = 3, -600, 600, 8, hand 120;
        /// Cells of height 0 reached first.
        p_area0_l: i32 = 132, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        p_area1_e: i32 = -16, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        p_area1_l: i32 = 58, -600, 600, 8, hand 120;
        /// Cells of height 2 reached first.
        p_area2_e: i32 = -22, -600, 600, 8, hand 140;
        /// Cells of height 2 reached first.
        p_area2_l: i32 = 55, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        p_area3_e: i32 = -14, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        p_area3_l: i32 = 59, -600, 600, 8, hand 140;
        /// Of the cells of height 0, those first reached by a second step.
        p_near0_e: i32 = -5, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a second step.
        p_near0_l: i32 = 31, -600, 600, 8, hand 0;
        /// The same, height 1.
        p_near1_e: i32 = -4, -600, 600, 8, hand 0;
        /// The same, height 1.
        p_near1_l: i32 = 147, -600, 600, 8, hand 0;
        /// The same, height 2.
        p_near2_e: i32 = 15, -600, 600, 8, hand 0;
        /// The same, height 2.
        p_near2_l: i32 = 94, -600, 600, 8, hand 0;
        /// The same, height 3.
        p_near3_e: i32 = 11, -600, 600, 8, hand 0;
        /// The same, height 3.
        p_near3_l: i32 = 42, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        p_next0_e: i32 = 0, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        p_next0_l: i32 = 6, -600, 600, 8, hand 0;
        /// The same, height 1.
        p_next1_e: i32 = 3, -600, 600, 8, hand 0;
        /// The same, height 1.
        p_next1_l: i32 = 72, -600, 600, 8, hand 0;
        /// The same, height 2.
        p_next2_e: i32 = 14, -600, 600, 8, hand 0;
        /// The same, height 2.
        p_next2_l: i32 = 63, -600, 600, 8, hand 0;
        /// The same, height 3.
        p_next3_e: i32 = 9, -600, 600, 8, hand 0;
        /// The same, height 3.
        p_next3_l: i32 = -14, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        p_reach_e: i32 = 0, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        p_reach_l: i32 = 82, -600, 600, 8, hand 0;
        /// Of these, height 3.
        p_reach3_e: i32 = -11, -600, 600, 8, hand 0;
        /// Of these, height 3.
        p_reach3_l: i32 = -97, -600, 600, 8, hand 0;
        /// Units on height 1.
        p_on1_e: i32 = 21, -600, 600, 8, hand 20;
        /// Units on height 1.
        p_on1_l: i32 = 102, -600, 600, 8, hand 20;
        /// Units on height 2.
        p_on2_e: i32 = 36, -600, 600, 8, hand 60;
        /// Units on height 2.
        p_on2_l: i32 = 118, -600, 600, 8, hand 60;
        /// Units on height 3.
        p_on3_e: i32 = 71, -600, 600, 8, hand 100;
        /// Units on height 3.
        p_on3_l: i32 = 107, -600, 600, 8, hand 100;
        /// Steps onto height 0.
        p_step0_e: i32 = -16, -600, 600, 8, hand 60;
        /// Steps onto height 0.
        p_step0_l: i32 = 180, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        p_step1_e: i32 = 2, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        p_step1_l: i32 = 185, -600, 600, 8, hand 60;
        /// Steps onto height 2.
        p_step2_e: i32 = 22, -600, 600, 8, hand 70;
        /// Steps onto height 2.
        p_step2_l: i32 = 156, -600, 600, 8, hand 70;
        /// Steps onto height 3.
        p_step3_e: i32 = 40, -600, 600, 8, hand 80;
        /// Steps onto height 3.
        p_step3_l: i32 = 87, -600, 600, 8, hand 80;
        /// Units with at most one step.
        p_tight_e: i32 = 29, -600, 600, 8, hand -60;
        /// Units with at most one step.
        p_tight_l: i32 = 51, -600, 600, 8, hand -60;
        /// Points.
        p_point_e: i32 = 17, -600, 600, 8, hand 100;
        /// Points.
        p_point_l: i32 = 90, -600, 600, 8, hand 100;
        /// To move.
        p_tempo_e: i32 = -10, -600, 600, 8, hand 10;
        /// To move.
        p_tempo_l: i32 = -71, -600, 600, 8, hand 10;
        /// Units that cannot step.
        p_stuck_e: i32 = 0, -600, 600, 8, hand 0;
        /// Units that cannot step.
        p_stuck_l: i32 = 0, -600, 600, 8, hand 0;
        /// Cells of height 0 reached first.
        q_area0_e: i32 = -2, -600, 600, 8, hand 120;
        /// Cells of height 0 reached first.
        q_area0_l: i32 = 15, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        q_area1_e: i32 = -6, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        q_area1_l: i32 = 18, -600, 600, 8, hand 120;
        /// Cells of height 2 reached first.
        q_area2_e: i32 = -5, -600, 600, 8, hand 140;
        /// Cells of height 2 reached first.
        q_area2_l: i32 = 15, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        q_area3_e: i32 = 14, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        q_area3_l: i32 = 24, -600, 600, 8, hand 140;
        /// Of the cells of height 0, those first reached by a second step.
        q_near0_e: i32 = 2, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a second step.
        q_near0_l: i32 = 49, -600, 600, 8, hand 0;
        /// The same, height 1.
        q_near1_e: i32 = -2, -600, 600, 8, hand 0;
        /// The same, height 1.
        q_near1_l: i32 = 56, -600, 600, 8, hand 0;
        /// The same, height 2.
        q_near2_e: i32 = 8, -600, 600, 8, hand 0;
        /// The same, height 2.
        q_near2_l: i32 = 24, -600, 600, 8, hand 0;
        /// The same, height 3.
        q_near3_e: i32 = 0, -600, 600, 8, hand 0;
        /// The same, height 3.
        q_near3_l: i32 = 15, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        q_next0_e: i32 = 10, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        q_next0_l: i32 = 37, -600, 600, 8, hand 0;
        /// The same, height 1.
        q_next1_e: i32 = 17, -600, 600, 8, hand 0;
        /// The same, height 1.
        q_next1_l: i32 = 32, -600, 600, 8, hand 0;
        /// The same, height 2.
        q_next2_e: i32 = 5, -600, 600, 8, hand 0;
        /// The same, height 2.
        q_next2_l: i32 = 18, -600, 600, 8, hand 0;
        /// The same, height 3.
        q_next3_e: i32 = -19, -600, 600, 8, hand 0;
        /// The same, height 3.
        q_next3_l: i32 = 27, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        q_reach_e: i32 = -6, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        q_reach_l: i32 = 31, -600, 600, 8, hand 0;
        /// Of these, height 3.
        q_reach3_e: i32 = -20, -600, 600, 8, hand 0;
        /// Of these, height 3.
        q_reach3_l: i32 = -19, -600, 600, 8, hand 0;
        /// Units on height 1.
        q_on1_e: i32 = 10, -600, 600, 8, hand 20;
        /// Units on height 1.
        q_on1_l: i32 = -1, -600, 600, 8, hand 20;
        /// Units on height 2.
        q_on2_e: i32 = -6, -600, 600, 8, hand 60;
        /// Units on height 2.
        q_on2_l: i32 = 22, -600, 600, 8, hand 60;
        /// Units on height 3.
        q_on3_e: i32 = 16, -600, 600, 8, hand 100;
        /// Units on height 3.
        q_on3_l: i32 = 6, -600, 600, 8, hand 100;
        /// Steps onto height 0.
        q_step0_e: i32 = -2, -600, 600, 8, hand 60;
        /// Steps onto height 0.
        q_step0_l: i32 = 55, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        q_step1_e: i32 = 6, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        q_step1_l: i32 = 48, -600, 600, 8, hand 60;
        /// Steps onto height 2.
        q_step2_e: i32 = 20, -600, 600, 8, hand 70;
        /// Steps onto height 2.
        q_step2_l: i32 = 26, -600, 600, 8, hand 70;
        /// Steps onto height 3.
        q_step3_e: i32 = 25, -600, 600, 8, hand 80;
        /// Steps onto height 3.
        q_step3_l: i32 = 9, -600, 600, 8, hand 80;
        /// Units with at most one step.
        q_tight_e: i32 = -38, -600, 600, 8, hand -100;
        /// Units with at most one step.
        q_tight_l: i32 = 11, -600, 600, 8, hand -100;
        /// Points.
        q_point_e: i32 = -2, -600, 600, 8, hand 100;
        /// Points.
        q_point_l: i32 = 42, -600, 600, 8, hand 100;
        /// To move.
        q_tempo_e: i32 = 2, -600, 600, 8, hand 10;
        /// To move.
        q_tempo_l: i32 = -2, -600, 600, 8, hand 10;
        /// Units that cannot step.
        q_stuck_e: i32 = -18, -600, 600, 8, hand 0;
        /// Units that cannot step.
        q_stuck_l: i32 = -6, -600, 600, 8, hand 0;
        /// Cells of height 0 reached first.
        s_area0_e: i32 = 96, -600, 600, 8, hand 120;
        /// Cells of height 0 reached first.
        s_area0_l: i32 = 534, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        s_area1_e: i32 = 143, -600, 600, 8, hand 120;
        /// Cells of height 1 reached first.
        s_area1_l: i32 = 304, -600, 600, 8, hand 120;
        /// Cells of height 2 reached first.
        s_area2_e: i32 = 68, -600, 600, 8, hand 140;
        /// Cells of height 2 reached first.
        s_area2_l: i32 = 208, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        s_area3_e: i32 = 120, -600, 600, 8, hand 140;
        /// Cells of height 3 reached first.
        s_area3_l: i32 = -13, -600, 600, 8, hand 140;
        /// Of the cells of height 0, those first reached by a second step.
        s_near0_e: i32 = -30, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a second step.
        s_near0_l: i32 = 237, -600, 600, 8, hand 0;
        /// The same, height 1.
        s_near1_e: i32 = 26, -600, 600, 8, hand 0;
        /// The same, height 1.
        s_near1_l: i32 = 105, -600, 600, 8, hand 0;
        /// The same, height 2.
        s_near2_e: i32 = -40, -600, 600, 8, hand 0;
        /// The same, height 2.
        s_near2_l: i32 = 52, -600, 600, 8, hand 0;
        /// The same, height 3.
        s_near3_e: i32 = -53, -600, 600, 8, hand 0;
        /// The same, height 3.
        s_near3_l: i32 = 38, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        s_next0_e: i32 = 13, -600, 600, 8, hand 0;
        /// Of the cells of height 0, those first reached by a third step.
        s_next0_l: i32 = 69, -600, 600, 8, hand 0;
        /// The same, height 1.
        s_next1_e: i32 = 13, -600, 600, 8, hand 0;
        /// The same, height 1.
        s_next1_l: i32 = 73, -600, 600, 8, hand 0;
        /// The same, height 2.
        s_next2_e: i32 = -62, -600, 600, 8, hand 0;
        /// The same, height 2.
        s_next2_l: i32 = 26, -600, 600, 8, hand 0;
        /// The same, height 3.
        s_next3_e: i32 = -72, -600, 600, 8, hand 0;
        /// The same, height 3.
        s_next3_l: i32 = 35, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        s_reach_e: i32 = -92, -600, 600, 8, hand 0;
        /// Cells that could be reached at all.
        s_reach_l: i32 = 551, -600, 600, 8, hand 0;
        /// Of these, height 3.
        s_reach3_e: i32 = -20, -600, 600, 8, hand 0;
        /// Of these, height 3.
        s_reach3_l: i32 = -153, -600, 600, 8, hand 0;
        /// Units on height 1.
        s_on1_e: i32 = -75, -600, 600, 8, hand 20;
        /// Units on height 1.
        s_on1_l: i32 = -100, -600, 600, 8, hand 20;
        /// Units on height 2.
        s_on2_e: i32 = 61, -600, 600, 8, hand 60;
        /// Units on height 2.
        s_on2_l: i32 = -47, -600, 600, 8, hand 60;
        /// Units on height 3.
        s_on3_e: i32 = 178, -600, 600, 8, hand 100;
        /// Units on height 3.
        s_on3_l: i32 = -221, -600, 600, 8, hand 100;
        /// Steps onto height 0.
        s_step0_e: i32 = 9, -600, 600, 8, hand 60;
        /// Steps onto height 0.
        s_step0_l: i32 = 289, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        s_step1_e: i32 = 50, -600, 600, 8, hand 60;
        /// Steps onto height 1.
        s_step1_l: i32 = 78, -600, 600, 8, hand 60;
        /// Steps onto height 2.
        s_step2_e: i32 = 67, -600, 600, 8, hand 70;
        /// Steps onto height 2.
        s_step2_l: i32 = 36, -600, 600, 8, hand 70;
        /// Steps onto height 3.
        s_step3_e: i32 = 122, -600, 600, 8, hand 80;
        /// Steps onto height 3.
        s_step3_l: i32 = -67, -600, 600, 8, hand 80;
        /// Units with at most one step.
        s_tight_e: i32 = 55, -600, 600, 8, hand -60;
        /// Units with at most one step.
        s_tight_l: i32 = -176, -600, 600, 8, hand -60;
        /// Points.
        s_point_e: i32 = -86, -600, 600, 8, hand 100;
        /// Points.
        s_point_l: i32 = 451, -600, 600, 8, hand 100;
        /// To move.
        s_tempo_e: i32 = -4, -600, 600, 8, hand 10;
        /// To move.
        s_tempo_l: i32 = -37, -600, 600, 8, hand 10;
        /// Units that cannot step.
        s_stuck_e: i32 = 48, -600, 600, 8, hand 0;
        /// Units that cannot step.
        s_stuck_l: i32 = 19, -600, 600, 8, hand 0;
    } {

        /// Plies taken off a late move of league 0: per cent of ln(depth) * ln(number).
        lmr: i32 = 70, 0, 200, 5;
        /// The same in the others.
        lmr_sides: i32 = 45, 0, 200, 5;
        /// Moves searched in full before reductions.
        lmr_after: i32 = 3, 1, 20, 1;
        /// Margin per ply by which a static value of league 0 must beat the window to stop at once.
        futility: i32 = 120, 0, 1000, 20;
        /// The same in leagues 1 to 3.
        futility_sides: i32 = 40, 0, 1000, 20;
        /// Plies at which that is tried.
        futility_depth: i32 = 3, 0, 8, 1;
        /// Plies taken off after a null move.
        null_cut: i32 = 3, 1, 6, 1;
        /// Margin per ply by which a static value must miss the window to give up at once.
        hopeless: i32 = 50, 0, 1000, 20;
        /// Plies at which that is tried.
        hopeless_depth: i32 = 1, 0, 8, 1;
        /// Root moves searched in full before reductions.
        root_after: i32 = 4, 1, 64, 1;
        /// Plies by which root moves are reduced less.
        root_spare: i32 = 1, 0, 4, 1;
        /// Plies from which a node without a known move is searched one ply less.
        blind_depth: i32 = 4, 2, 99, 1;
        /// Plies at which only the first moves are tried.
        few_depth: i32 = 2, 0, 8, 1;
        /// That many of them,
        few: i32 = 8, 1, 99, 1;
        /// and for each ply squared so many more.
        few_more: i32 = 4, 0, 30, 1;
        /// History that saves a ply of reduction.
        trust: i32 = 6000, 1000, 99999, 500;
        /// History gained by a cut, per ply squared.
        learn: i32 = 32, 1, 400, 4;
        /// History lost by the moves before it, as a divisor.
        unlearn: i32 = 4, 1, 64, 1;
        /// What history is divided by between answers.
        forget: i32 = 8, 1, 64, 1;
        /// Worth of a level of the destination in the order of moves.
        climb: i32 = 1000, 0, 9999, 100;
        /// Worth of a threat to climb in the order of moves of league 0.
        threat: i32 = 5000, 0, 30000, 1000;
        /// Per cent of the time for proving a win in league 0 before anything is valued,
        prove_root: i32 = 10, 0, 95, 5;
        /// once so many levels are built;
        prove_from: i32 = 10, 0, 99, 1;
        /// and of the rest for proving that the best move wins or loses.
        prove_best: i32 = 15, 0, 95, 5;
        /// Plies from which late moves are reduced.
        lmr_depth: i32 = 2, 2, 8, 1;
        /// Milliseconds for the first answer.
        first_ms: i32 = 900, 10, 990, 10;
        /// Milliseconds for a later answer.
        later_ms: i32 = 43, 5, 48, 1;
    }
}
