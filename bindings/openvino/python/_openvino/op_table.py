"""What the functions of rondo.opset15 and its like take, in the order in which OpenVINO has it.

A row is {first opset: parameters}. `x` is an input, `x?` one that may be left out, `x~` one whose
Python numbers take the type of the first such input, `x*` a list of inputs, `x=` an attribute,
`x=y` one that the IR calls y, and `x{}` a dict of attributes. `opset1: ` in
front means that form of the op, which OpenVINO's function makes there.
"""

_UNARY = "node"
_DATA = "data"
_BINARY = "left_node~ right_node~ auto_broadcast="
_REDUCE = "node reduction_axes keep_dims="
_ACTIVATIONS = "activations= activations_alpha= activations_beta= clip="
_LSTM_CELL = f"X initial_hidden_state initial_cell_state W R B hidden_size= {_ACTIVATIONS}"
_CELL = f"X initial_hidden_state W R B hidden_size= {_ACTIVATIONS}"
_SEQUENCE = ("X initial_hidden_state sequence_lengths W R B hidden_size= direction= "
             f"{_ACTIVATIONS}")
_LSTM_SEQUENCE = _SEQUENCE.replace("_state ", "_state initial_cell_state ", 1)
_WINDOW = "strides= pads_begin= pads_end= dilations= auto_pad="
_TRANSPOSED = ("data filters strides= output_shape? pads_begin= pads_end= dilations= auto_pad= "
               "output_padding=")
_DEFORMABLE = f"{_WINDOW} group= deformable_group="
_SPECTRUM = "data axes signal_size?"
_SCATTER = "data indices updates"
_RESIZE = ("mode= shape_calculation_mode= pads_begin= pads_end= coordinate_transformation_mode= "
           "nearest_mode= antialias= cube_coeff= axes?")
_POOL = "strides= pads_begin= pads_end= kernel_shape=kernel"
_AVG_POOL = f"data_batch {_POOL} exclude_pad=exclude-pad rounding_type= auto_pad="
_ROI_ALIGN = ("data rois batch_indices pooled_h= pooled_w= sampling_ratio= spatial_scale= mode=")
_TOP_K = "data k axis= mode= sort="

# Functions whose names say their op's type in other letters.
TYPES = {"absolute": "Abs", "ceil": "Ceiling", "constant": "Const", "cumsum": "CumSum",
         "if_op": "If"}
# Functions that rondo._openvino.ops has in its own words.
SPECIAL = ("constant", "if_op", "loop", "parameter", "result", "tensor_iterator")

_EQUAL_ROWS = {
    _UNARY: "abs absolute acos acosh asin asinh atan atanh bitwise_not ceil ceiling cos cosh erf "
            "exp floor log logical_not negative relu sign sin sinh softsign sqrt tan tanh",
    _DATA: "hsigmoid hswish identity is_finite is_nan mish sigmoid softplus",
    _BINARY: "add bitwise_and bitwise_or bitwise_xor divide equal floor_mod greater greater_equal "
             "less less_equal logical_and logical_or logical_xor maximum minimum mod multiply "
             "not_equal power subtract",
    _REDUCE: "reduce_l1 reduce_l2 reduce_logical_and reduce_logical_or reduce_max reduce_mean "
             "reduce_min reduce_prod reduce_sum",
    _SPECTRUM: "dft idft irdft rdft",
    _TRANSPOSED: "convolution_backprop_data group_convolution_backprop_data",
    f"data filters {_WINDOW}": "convolution group_convolution",
    "arg0~ arg1~ auto_broadcast=": "bitwise_left_shift bitwise_right_shift",
    "arg axis exclusive= reverse=": "cum_sum cumsum",
}

# keep-sorted
_ROWS: dict = {
    "assign": "new_value variable_id=",
    "avg_pool": {1: _AVG_POOL, 16: f"{_AVG_POOL} dilations="},
    "batch_norm_inference": "data gamma beta mean variance epsilon=",
    "broadcast": {1: "data target_shape axes_mapping? mode=",
                  3: "data target_shape axes_mapping? broadcast_spec=mode"},
    "bucketize": "data buckets output_type= with_right_bound=",
    "clamp": "data min_value=min max_value=max",
    "col2im": "data output_size kernel_size strides= dilations= pads_begin= pads_end=",
    "concat": "nodes* axis=",
    "convert": "data destination_type=",
    "convert_like": "data like",
    "deformable_convolution": {
        8: f"data offsets filters strides= pads_begin= pads_end= dilations= mask? auto_pad= "
           "group= deformable_group= bilinear_interpolation_pad="},
    "depth_to_space": "node mode= block_size=",
    "einsum": "inputs* equation=",
    "elu": "data alpha=",
    "eye": "num_rows num_columns diagonal_index output_type= batch_shape?",
    "fake_quantize": "data~ input_low~ input_high~ output_low~ output_high~ levels= auto_broadcast=",
    "gather": {1: "data indices axis", 7: "data indices axis batch_dims="},
    "gather_elements": "data indices axis=",
    "gather_nd": "data indices batch_dims=",
    "gelu": {2: "node", 7: "data approximation_mode="},
    "grid_sample": "data grid attributes{}",
    "grn": "data bias=",
    "group_normalization": {12: "data scale bias num_groups= epsilon="},
    "gru_cell": f"{_CELL} linear_before_reset=",
    "gru_sequence": f"{_SEQUENCE} linear_before_reset=",
    "hard_sigmoid": "data~ alpha~ beta~",
    "interpolate": {11: f"image scales_or_sizes {_RESIZE}"},
    "is_inf": "data attributes{}",
    "log_softmax": "data axis=",
    "lrn": "data axes alpha= beta= bias= size=",
    "lstm_cell": _LSTM_CELL,
    "lstm_sequence": _LSTM_SEQUENCE,
    "matmul": "data_a data_b transpose_a= transpose_b=",
    "max_pool": {8: "data strides= dilations= pads_begin= pads_end= kernel_shape=kernel "
                    "rounding_type= auto_pad= index_element_type= axis="},
    "mvn": {6: "data axes normalize_variance= eps= eps_mode="},
    "non_max_suppression": {
        5: "boxes scores max_output_boxes_per_class? iou_threshold? score_threshold? "
           "soft_nms_sigma? box_encoding= sort_result_descending= output_type="},
    "non_zero": "data output_type=",
    "normalize_l2": "data axes eps= eps_mode=",
    "one_hot": {1: "indices depth on_value off_value axis=",
                16: "indices depth on_value off_value axis= negative_indices_mode="},
    "pad": "arg~ pads_begin pads_end pad_mode= arg_pad_value~?",
    "prelu": "data~ slope~",
    "random_uniform": "output_shape min_val max_val output_type= global_seed= op_seed= alignment=",
    "range": {1: "opset1: start stop step", 12: "start stop step output_type="},
    "read_value": {3: "init_value variable_id=",
                   6: "init_value? variable_id= variable_type= variable_shape="},
    "reshape": "node output_shape special_zero=",
    "reverse": "data axis mode=",
    "reverse_sequence": "input seq_lengths batch_axis= seq_axis=",
    "rnn_cell": _CELL,
    "rnn_sequence": _SEQUENCE,
    "roi_align": {3: _ROI_ALIGN, 9: f"{_ROI_ALIGN} aligned_mode="},
    "roll": "data shift axes",
    "round": "data mode=",
    "scaled_dot_product_attention": {13: "query key value attention_mask? scale? causal="},
    "scatter_elements_update": {3: f"{_SCATTER} axis", 12: f"{_SCATTER} axis reduction= use_init_val="},
    "scatter_nd_update": {3: _SCATTER, 15: f"{_SCATTER} reduction="},
    "scatter_update": {3: f"{_SCATTER} axis"},
    "select": "cond then_node~ else_node~ auto_broadcast=",
    "selu": "data~ alpha~ lambda_value~",
    "shape_of": {1: "data", 3: "data output_type="},
    "slice": "data start stop step axes?",
    "softmax": "data axis=",
    "space_to_depth": "data mode= block_size=",
    "split": "data axis num_splits=",
    "squared_difference": "x1~ x2~ auto_broadcast=",
    "squeeze": {1: "data axes?", 15: "data axes? allow_axis_skip="},
    "stft": "data window frame_size frame_step transpose_frames=",
    "strided_slice": "data begin end strides begin_mask= end_mask= new_axis_mask= "
                     "shrink_axis_mask= ellipsis_mask=",
    "swish": "data~ beta~?",
    "tile": "data repeats",
    "topk": {1: _TOP_K, 3: f"{_TOP_K} index_element_type=",
             11: f"{_TOP_K} index_element_type= stable="},
    "transpose": "data input_order",
    "unique": "data axis? sorted= index_element_type= count_element_type=",
    "unsqueeze": "data axes",
    "variadic_split": "data axis split_lengths",
}

_FORGET = "input_forget="
_AFTER_B = ("B hidden_size=", "B P? hidden_size=")

# Rondo's own ops and forms, in rondo.rondo1.
# keep-sorted
RONDO = {
    "bit_cast": "data output_type=",
    "col2im": _ROWS["col2im"],
    "cum_prod": "arg axis exclusive= reverse=",
    "det": "data",
    "dynamic_quantize_linear": "data",
    "grid_sample": "data grid align_corners= mode= padding_mode=",
    "gru_cell": _ROWS["gru_cell"],
    "gru_sequence": _ROWS["gru_sequence"],
    "interpolate": f"image scales_or_sizes {_RESIZE}",
    "lstm_cell": f"{_LSTM_CELL} {_FORGET}".replace(*_AFTER_B),
    "lstm_sequence": f"{_LSTM_SEQUENCE} {_FORGET}".replace(*_AFTER_B),
    "matmul_integer": "data_a data_b zero_point_a? zero_point_b?",
    "pad": _ROWS["pad"],
    "rnn_cell": _ROWS["rnn_cell"],
    "rnn_sequence": _ROWS["rnn_sequence"],
    "roi_align": f"{_ROI_ALIGN} aligned_mode=",
}


def _standard_rows():
    rows = {name: row if isinstance(row, dict) else {1: row} for name, row in _ROWS.items()}
    for row, names in _EQUAL_ROWS.items():
        rows.update({name: {1: row} for name in names.split()})
    return rows


STANDARD = _standard_rows()
